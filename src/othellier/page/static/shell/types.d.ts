// What goes over the wire, made by `make types` from the models of page/wire/: change those, not this file.

export type Color = "black" | "white";

export type Label = "forced" | "best" | "good" | "inaccuracy" | "mistake" | "blunder";

export type Phase = "opening" | "middle" | "end";

/** End the game by agreement, as the board counts. */
export interface Agree {
  id?: number | string | null;
  do: "agree";
}

/** Analyse the main line. */
export interface Analyse {
  id?: number | string | null;
  do: "analyse";
  level?: "quick" | "normal" | "deep";
}

/** Stop the analysis. */
export interface AnalyseStop {
  id?: number | string | null;
  do: "analyse_stop";
}

/** A balanced start, drawn at random. */
export interface Balanced {
  kind: "balanced";
}

/** A position to check. */
export interface BoardAsked {
  board: string;
  size?: string | null;
}

/** Say something about a node. */
export interface Comment {
  id?: number | string | null;
  do: "comment";
  node: string;
  text: string;
}

/** A handicap: so many corners are given to a side before the start. */
export interface Corners {
  kind: "corners";
  corners: number;
  to: Color;
}

/** Delete a node and all that follows. */
export interface Delete {
  id?: number | string | null;
  do: "delete";
  node: string;
}

/** Draw circles and arrows on a node's board. */
export interface DrawMarks {
  id?: number | string | null;
  do: "marks";
  node: string;
  circles?: string[];
  arrows?: [string, string][];
}

/** An answer to a card of the drill. */
export interface DrillGiven {
  color?: Color;
  opening?: string;
  plies?: number;
  card: string;
  square: string;
}

/** Look where the others look, or no longer. */
export interface Follow {
  id?: number | string | null;
  do: "follow";
  on: boolean;
}

/** The usual start, nothing chosen. */
export interface FreeOpening {
  kind?: "any";
}

/** Play on from here. */
export interface Go {
  id?: number | string | null;
  do: "go";
}

/** Look elsewhere. */
export interface Goto {
  id?: number | string | null;
  do: "goto";
  node?: string | null;
  to?: "start" | "back" | "back_turn" | "forward" | "forward_turn" | "end" | "live" | null;
  ply?: number | null;
}

/** Ask for the best move. */
export interface Hint {
  id?: number | string | null;
  do: "hint";
}

/** Somebody at a browser. */
export interface HumanChoice {
  kind?: "human";
  name?: string;
}

/** Let the machine play the best it has found. */
export interface Hurry {
  id?: number | string | null;
  do: "hurry";
}

/** The engine at one of its levels. */
export interface LevelChoice {
  kind?: "level";
  level?: string;
}

/** A line to be looked at, put into the tree as a variation. */
export interface Line {
  id?: number | string | null;
  do: "line";
  node: string;
  moves: string[];
  at?: number;
}

/** Moves that have been played. */
export interface Moves {
  kind: "moves";
  moves: string;
}

/** A named opening, which machines follow as long as everybody does. */
export interface Named {
  kind: "named";
  id: string;
}

/** A game to begin. */
export interface NewGame {
  black?: HumanChoice | LevelChoice | StringChoice;
  white?: HumanChoice | LevelChoice | StringChoice;
  size?: string;
  opening?: FreeOpening | Balanced | Named | Moves | SetUp | Corners;
  clock?: TimeControl | null;
  ponder?: boolean;
  book?: boolean;
  title?: string;
}

/** Ask whether anybody is there. */
export interface Ping {
  id?: number | string | null;
  do: "ping";
}

/** A move of the human to move; machines answer. */
export interface Play {
  id?: number | string | null;
  do: "move";
  square: string;
  node?: string | null;
}

/** Change who plays, and how. */
export interface Players {
  id?: number | string | null;
  do: "players";
  black?: HumanChoice | LevelChoice | StringChoice | null;
  white?: HumanChoice | LevelChoice | StringChoice | null;
  ponder?: boolean | null;
  book?: boolean | null;
}

/** Make a node the main line. */
export interface Promote {
  id?: number | string | null;
  do: "promote";
  node: string;
}

/** The moves of whoever solves a puzzle so far, and how many were wrong before. */
export interface PuzzleGiven {
  puzzle: string;
  moves: string[];
  mistakes?: number;
}

/** Replay a turn taken back. */
export interface Redo {
  id?: number | string | null;
  do: "redo";
}

/** A game's title and tags. */
export interface Rename {
  title?: string | null;
  tags?: string[] | null;
}

/** What one wants to know by heart: a side, an opening by its id or all, so many moves deep. */
export interface Repertoire {
  color?: Color;
  opening?: string;
  plies?: number;
}

/** Give up. */
export interface Resign {
  id?: number | string | null;
  do: "resign";
  color?: Color | null;
}

/** A position of one's own. */
export interface SetUp {
  kind: "position";
  board: string;
}

/** Let no machine think or move. */
export interface StopMachines {
  id?: number | string | null;
  do: "stop";
}

/** Any other player, by its player string. */
export interface StringChoice {
  kind?: "player";
  spec: string;
  name?: string;
}

/** A move of whoever is to move; nobody answers. */
export interface Study {
  id?: number | string | null;
  do: "study";
  square: string;
  node?: string | null;
}

/** Exchange the players. */
export interface Swap {
  id?: number | string | null;
  do: "swap";
}

/** Turn the whole game. */
export interface Symmetry {
  id?: number | string | null;
  do: "symmetry";
  kind: "central" | "falling" | "rising";
}

/** A record to import. */
export interface Text {
  text: string;
}

/** Time for each player. */
export interface TimeControl {
  minutes: number;
  increment?: number;
}

/** Rename the game. */
export interface Title {
  id?: number | string | null;
  do: "title";
  title: string;
}

/** One search or two of a position of a game, to be recorded. */
export interface TreesAsked {
  game: string;
  node?: string;
  players: string[];
  language?: string;
}

/** Take back a turn. */
export interface Undo {
  id?: number | string | null;
  do: "undo";
}

/** Show what every legal square is worth. */
export interface Values {
  id?: number | string | null;
  do: "values";
  on: boolean;
  depth?: number | null;
}

/** A game analysed, or as far as it has come. */
export interface AnalysisView {
  level: string;
  done: boolean;
  moves: MoveView[];
  players: Record<Color, PlayerMoves>;
  graph: Point[];
  mistakes: MistakeView[];
  turning_points: string[];
  turning_point: string | null;
  best_moves: string[];
  worst_moves: string[];
}

/** Which buttons make sense. */
export interface Can {
  undo: boolean;
  redo: boolean;
  back: boolean;
  forward: boolean;
  resign: boolean;
  swap: boolean;
}

/** Seconds left. */
export interface ClockView {
  black: number;
  white: number;
  increment: number;
  running: Color | null;
}

/** How many discs each side has. */
export interface Discs {
  black: number;
  white: number;
}

/** The body of every answer that is an error. */
export interface ErrorBody {
  error: ErrorView;
}

/** What went wrong. */
export interface ErrorView {
  code: string;
  message: string;
  data?: Record<string, string | number>;
}

/** What a move is worth. */
export interface Eval {
  black: number;
  exact: boolean;
  depth?: number | null;
  pv?: string[];
  text?: string;
  win: number;
  draw: number;
}

/** A machine that gave no legal move; the game waits until another player takes its side or it is asked again. */
export interface Failure {
  color: Color;
  reason: string;
}

/** A running game as a tab shows it. */
export interface GameState {
  game: string;
  revision: number;
  title: string;
  tags: string[];
  created: string;
  size: SizeView;
  players: Record<Color, PlayerView>;
  ponder: boolean;
  book: boolean;
  node: string;
  live: string;
  main: boolean;
  board: string;
  turn: Color;
  discs: Discs;
  ply: number;
  legal: Legal[];
  last: Last | null;
  playing: boolean;
  your_turn: boolean;
  over: boolean;
  result: ResultView | null;
  clock: ClockView | null;
  opening: OpeningView | null;
  forced: string[];
  can: Can;
  values_on: boolean;
  follows: boolean;
  thinking: Thinking | null;
  failed: Failure | null;
  marks: MarksView;
  saved: boolean;
  analysis?: AnalysisView | null;
  tree?: NodeView | null;
}

/** The best move here; a move of the book may come without a score. */
export interface HintView {
  node: string;
  turn: Color;
  square: string;
  score: number | null;
  exact: boolean;
  depth: number;
  pv: string[];
  source: string;
  win: number | null;
  draw: number | null;
}

/** The move that led here, and who had to pass after it. */
export interface Last {
  square: string;
  color: Color;
  flips: string[];
  passed?: Color | null;
}

/** A move that may be played, and what it turns over. */
export interface Legal {
  square: string;
  flips: string[];
}

/** Circles and arrows. */
export interface MarksView {
  circles: string[];
  arrows: [string, string][];
}

/** A move to learn from, at the node where it was played. */
export interface MistakeView {
  node: string;
  played: string;
  color: Color;
  best: string;
  loss: number;
  chance_loss: number;
  label: Label;
  pv: string[];
  squares: TriedSquare[];
  reasons: ReasonView[];
}

/** One move judged; `score` and `best_score` are its own side's, `black` and `win` are Black's after it. */
export interface MoveView {
  node: string;
  ply: number;
  color: Color;
  move: string;
  score: number;
  black: number;
  exact: boolean;
  depth: number;
  win: number;
  loss: number;
  chance_loss: number;
  label: Label;
  phase: Phase;
  best: string;
  best_score: number;
  margin: number | null;
  pv: string[];
  line: string[];
  reasons: ReasonView[];
}

/** A move of the tree; the first child continues the main line. */
export interface NodeView {
  id: string;
  move?: string;
  color?: Color | null;
  ply?: number;
  comment?: string;
  eval?: Eval | null;
  seconds?: number | null;
  nodes?: number | null;
  label?: Label | null;
  loss?: number | null;
  children?: NodeView[];
}

/** An opening's names and moves. */
export interface OpeningView {
  id: string;
  en: string;
  fr: string;
  moves?: string;
  left?: boolean;
}

/** A player's moves in one third of the game. */
export interface PhaseView {
  moves: number;
  loss: number;
  accuracy: number | null;
}

/** A player's moves in the whole game. */
export interface PlayerMoves {
  moves: number;
  loss: number;
  accuracy: number | null;
  labels: Record<Label, number>;
  phases: Record<Phase, PhaseView>;
  weakest: Phase | null;
  best_moves: string[];
  worst_moves: string[];
}

/** Who plays one side. */
export interface PlayerView {
  kind: "human" | "level" | "player";
  label: string;
  name?: string;
  level?: string;
  spec?: string;
}

/** A point of the graph: Black's score and chance after a move. */
export interface Point {
  node: string;
  black: number;
  win: number;
}

/** Why a move was bad. */
export interface ReasonView {
  code: string;
  data: Record<string, unknown>;
}

/** How a game ended, in discs for Black. */
export interface ResultView {
  black: number;
  winner: Color | null;
  reason: string;
}

/** Rows and columns. */
export interface SizeView {
  rows: number;
  columns: number;
}

/** What a square is worth to the side to move. */
export interface SquareValue {
  square: string;
  score: number;
  exact: boolean;
  depth: number;
  pv: string[];
  source: string;
  win: number;
  draw: number;
  loss: number;
  label?: Label | null;
  reasons?: ReasonView[];
}

/** A game in the library. */
export interface Summary {
  game: string;
  title: string;
  black: string;
  white: string;
  size: string;
  moves: number;
  result: ResultView | null;
  created: string;
  used: string;
  tags: string[];
  opening: OpeningView | null;
  transcript: string;
  board: string;
  date: string;
  source: "played" | "imported";
  accuracy?: Record<Color, number | null> | null;
  deleted: boolean;
}

/** How far a machine has come with its move; without a colour, that none thinks. */
export interface Thinking {
  color?: Color | null;
  node?: string;
  depth?: number;
  of?: number;
  black?: number | null;
  exact?: boolean;
  pv?: string[];
  nodes?: number;
  seconds?: number;
  queued?: boolean;
}

/** A move that could have been played instead of a mistake. */
export interface TriedSquare {
  square: string;
  score: number;
  loss: number;
  good: boolean;
}

/** What every legal square is worth, as far as is known. */
export interface ValuesView {
  node: string;
  turn: Color;
  depth: number;
  done: boolean;
  best: string;
  squares: SquareValue[];
}

/** One's collections, by name. */
export interface CollectionList {
  collections: CollectionView[];
}

/** What a collection is to be called. */
export interface CollectionName {
  name: string;
}

/** A collection and how many games are in it. */
export interface CollectionView {
  collection: string;
  name: string;
  games: number;
}

/** How many games something was done to. */
export interface Selected {
  games: number;
  moment?: number | null;
  job?: string | null;
}

/** Something to be done to several games: those named, else all that a search finds. */
export interface Selection {
  do: "delete" | "restore" | "collect" | "take_out" | "analyse";
  games?: string[] | null;
  search?: string;
  tag?: string;
  result?: "black" | "white" | "draw" | "unfinished" | null;
  source?: "played" | "imported" | null;
  collection?: string;
  into?: string;
  moment?: number | null;
}

/** A book by its name, which is empty for the one that comes with the program. */
export interface BookChoice {
  name: string;
  chosen: boolean;
}

/** The book to use from now on. */
export interface BookChosen {
  name: string;
}

/** What the book says of a move, for the side to move. */
export interface BookView {
  score: number;
  exact: boolean;
  win: number;
  draw: number;
}

/** The books there are, how many positions the one in use has, and what is wrong with the one asked for. */
export interface BooksView {
  books: BookChoice[];
  positions: number | null;
  message: string;
  may_change: boolean;
}

/** What the engine thinks of a move that is in no book, for the side to move. */
export interface EngineValue {
  square: string;
  score: number;
  depth: number;
  exact: boolean;
}

/** Its values for all such moves. */
export interface EngineValues {
  values: EngineValue[];
}

/** What is known of a position. */
export interface Explored {
  moves: string;
  turn: Color;
  opening: OpeningView | null;
  squares: ExploredSquare[];
  book: boolean;
  database: boolean;
}

/** What is known of one legal move, and of those that are the same up to symmetry. */
export interface ExploredSquare {
  square: string;
  same: string[];
  opening: OpeningView | null;
  book: BookView | null;
  database: ResultCounts | null;
  own: ResultCounts | null;
}

/** A game of the database to be opened, at a node of a game or after moves from the start. */
export interface ModelAsked {
  number: number;
  moves: string;
}

/** A game of the database through a position. */
export interface ModelGame {
  number: number;
  black: string;
  white: string;
  year: number;
  tournament: string;
  score: number | null;
  following: string;
}

/** Some games through a position, and how many there are. */
export interface ModelGames {
  games: ModelGame[];
  total: number;
}

/** Where it is now: its id in the library, and the node. */
export interface ModelOpened {
  game: string;
  node: string;
}

/** A named opening with the board it leads to. */
export interface NamedOpening {
  id: string;
  en: string;
  fr: string;
  moves: string;
  left: boolean;
  board: string;
}

/** The named openings. */
export interface OpeningList {
  openings: NamedOpening[];
  balanced: boolean;
}

/** How games went after a move. */
export interface ResultCounts {
  games: number;
  black: number;
  draws: number;
  white: number;
}

/** A move of a transcript that cannot be played, and those before it. */
export interface BadMoveView {
  number: number;
  move: string;
  why: string;
  good: string;
}

/** What the book holds. */
export interface BookFacts {
  present: boolean;
  facts: Record<string, string>;
  by_moves: BookRow[];
}

/** The book's positions after so many moves. */
export interface BookRow {
  moves: number;
  positions: number;
  exact: number;
  least: number;
  greatest: number;
}

/** A question of the drill: what does one play here? */
export interface CardView {
  card: string;
  moves: string;
  board: string;
  turn: Color;
  last: string | null;
  legal: Legal[];
  opening: OpeningView | null;
}

/** Other people's games: how many there are, files handed in, what went wrong, whether one may change it. */
export interface DatabaseView {
  games: number;
  added: number;
  loading: boolean;
  message: string;
  may_change: boolean;
}

/** Whether an answer was right, what would have been, and when the card comes back. */
export interface DrillAnswer {
  right: boolean;
  answers: string[];
  box: number;
  due: string;
}

/** How well a repertoire is known, and what to ask next; nothing where nothing is due. */
export interface DrillView {
  cards: number;
  due: number;
  learnt: number;
  card: CardView | null;
}

/** What thinks. */
export interface EngineFacts {
  present: boolean;
  searchers: number;
  threads: number;
  hash_mb: number;
  speed: number | null;
}

/** Mean errors in discs with so many empty squares, of the patterns and of the value network, and how often the policy network finds the move. */
export interface ErrorRow {
  empties: number;
  mae: number;
  network: number | null;
  policy: number | null;
}

/** A record format. */
export interface FormatView {
  name: string;
  endings: string[];
  writes: boolean;
}

/** What an import brought. */
export interface Imported {
  games: Summary[];
  imported: number;
  errors: RecordProblem[];
  failed: number;
}

/** About the program. */
export interface Info {
  program: ProgramFacts;
  engine: EngineFacts;
  network: NetworkFacts;
  book: BookFacts;
  formats: FormatView[];
  limits: Limits;
  store: StoreFacts;
  shared: boolean;
  language: string | null;
}

/** How far an import has come, or the analysis of many games; at its end, what it brought or what went wrong. */
export interface JobView {
  job: string;
  done: boolean;
  progress: number;
  games: number;
  failed: number;
  left_out: Summary[];
  result: Imported | null;
  error: ErrorView | null;
}

/** A language and what it calls itself. */
export interface LanguageView {
  code: string;
  name: string;
}

/** The languages there are, and the one asked for at the start. */
export interface Languages {
  languages: LanguageView[];
  default: string | null;
}

/** A level of play. */
export interface LevelView {
  level: string;
  book_moves: number;
  depth: number;
  win_empties: number;
  exact_empties: number;
  human: boolean;
  rating: number | null;
}

/** Games found. */
export interface Library {
  games: Summary[];
  total: number;
  tags: TagCount[];
  collections: CollectionView[];
  damaged: string[];
}

/** How much is allowed. */
export interface Limits {
  body: number;
  file: number;
  games: number;
  nodes: number;
  comment: number;
  rate: number;
}

/** A match that the evaluation has played. */
export interface MatchRow {
  new: string;
  old: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  elo: number | null;
}

/** What values positions: its numbers, its patterns as squares, what it learnt from, how well it does. */
export interface NetworkFacts {
  name: string;
  facts: Record<string, string>;
  recipe: string;
  patterns: string[];
  data: SourceRow[];
  errors: ErrorRow[];
  matches: MatchRow[];
}

/** An option of a player string. */
export interface OptionView {
  name: string;
  expected: string;
  default: string;
}

/** A player of the laboratory. */
export interface PlayerKind {
  name: string;
  summary: string;
  example: string;
  options: OptionView[];
}

/** Whom one may play against. */
export interface PlayersView {
  levels: LevelView[];
  default: string;
  players: PlayerKind[];
}

/** A position that can be played. */
export interface PositionView {
  ok: boolean;
  board: string;
  turn: Color;
  discs: Discs;
  legal: Legal[];
  over: boolean;
  pass: boolean;
}

/** Which program this is. */
export interface ProgramFacts {
  version: string;
  core: string | null;
  python: string;
  license: string;
}

/** A game that could not be read. */
export interface RecordProblem {
  where: string;
  reason: string;
  move: BadMoveView | null;
}

/** Games that were learnt from. */
export interface SourceRow {
  source: string;
  games: number;
}

/** Whether games are kept. */
export interface StoreFacts {
  ok: boolean;
  message: string;
}

/** A tag and how many games have it. */
export interface TagCount {
  tag: string;
  games: number;
}

/** Recorded searches, as `stepper.js` shows them. */
export interface TreesView {
  trees: Record<string, unknown>[];
}

/** The games against a level. */
export interface LevelRecord {
  games: number;
  wins: number;
  draws: number;
  losses: number;
  level: string;
  rating: number | null;
}

/** The games with an opening. */
export interface OpeningRecord {
  games: number;
  wins: number;
  draws: number;
  losses: number;
  opening: OpeningView;
}

/** How well a phase of the game is played. */
export interface PhaseRecord {
  phase: Phase;
  moves: number;
  loss: number;
  accuracy: number | null;
}

/** What a person's games against machines say; `message` tells what is wrong with the store. */
export interface ProfileView {
  results: ResultCount;
  rating: number | null;
  accuracy: number | null;
  analysed: number;
  levels: LevelRecord[];
  history: RatedGame[];
  phases: PhaseRecord[];
  weakest: Phase | null;
  openings: OpeningRecord[];
  reasons: ReasonCount[];
  solved: number;
  stars: number;
  message: string;
}

/** What became of a move; board, turn and legal squares are those where it goes on. */
export interface PuzzleAnswer {
  right: boolean;
  done: boolean;
  steps: PuzzleStep[];
  board: string;
  turn: Color;
  legal: Legal[];
  over: boolean;
  best: string;
  answers: string[];
  score: number;
  best_score: number;
  exact: boolean;
  line: string[];
  reasons: ReasonView[];
  stars: number;
  due: string;
  message: string;
}

/** A move of the other side, or a pass of either. */
export interface PuzzleStep {
  square: string;
  color: Color;
  board: string;
}

/** How far one has come with the puzzles of a theme. */
export interface PuzzleTheme {
  theme: "corners" | "x_squares" | "quiet" | "parity" | "swindles" | "win8" | "own";
  puzzles: number;
  solved: number;
  due: number;
  stars: number;
}

/** A puzzle that is asked. */
export interface PuzzleView {
  puzzle: string;
  theme: "corners" | "x_squares" | "quiet" | "parity" | "swindles" | "win8" | "own";
  grade: number;
  turns: number;
  board: string;
  turn: Color;
  legal: Legal[];
  stars: number;
  played: string;
  game: string;
}

/** All themes, and the next puzzle of the one asked for; `message` says why nothing can be remembered. */
export interface PuzzlesView {
  themes: PuzzleTheme[];
  puzzle: PuzzleView | null;
  message: string;
}

/** A game, the rating after it, and how well it was played, where it was analysed. */
export interface RatedGame {
  game: string;
  date: string;
  level: string;
  points: number;
  rating: number | null;
  accuracy: number | null;
}

/** How often a reason stood first among those of a mistake. */
export interface ReasonCount {
  code: string;
  count: number;
}

/** How games ended for a person. */
export interface ResultCount {
  games: number;
  wins: number;
  draws: number;
  losses: number;
}

/** How far an analysis has come. */
export interface AnalysisTold {
  progress: number;
  done: boolean;
  refining?: number | null;
  analysis: AnalysisView;
}

/** A command has been obeyed. */
export interface DoneTold {
  id: number | string | null;
}

/** A command was refused, or a search failed. */
export interface ErrorTold {
  id?: number | string | null;
  error: ErrorView;
}

/** The game has ended. */
export interface OverTold {
  result: ResultView | null;
  discs: Discs;
}

/** A side had to pass. */
export interface PassTold {
  color: Color;
}

/** Whether the game is on the disk, where that has changed. */
export interface SavedTold {
  saved: boolean;
  error?: ErrorView | null;
}

/** The game has changed. */
export interface StateTold {
  state: GameState;
}

export type ServerEvent =
  | ({ event: "state" } & StateTold)
  | ({ event: "done" } & DoneTold)
  | ({ event: "error" } & ErrorTold)
  | ({ event: "passed" } & PassTold)
  | ({ event: "over" } & OverTold)
  | ({ event: "thinking" } & Thinking)
  | ({ event: "hint" } & HintView)
  | ({ event: "values" } & ValuesView)
  | ({ event: "analysis" } & AnalysisTold)
  | ({ event: "saved" } & SavedTold)
  | ({ event: "store" } & StoreFacts);

export type Command = Play | Study | Line | Undo | Redo | Goto | Go | StopMachines | Hurry | Swap | Players | Resign | Agree | Hint | Values | Follow | Analyse | AnalyseStop | Promote | Delete | Comment | DrawMarks | Symmetry | Title | Ping;

export type PlayerChoice = HumanChoice | LevelChoice | StringChoice;
