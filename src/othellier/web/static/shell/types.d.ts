// The server's contract (docs/api.md) in types. Only the checker reads this file.

export type Color = "black" | "white";
export interface ByColor<T> { black: T; white: T }

export interface PlayerSpec { kind: "human" | "level" | "player"; name?: string; level?: string; spec?: string }
export interface Player extends PlayerSpec { label: string }
export interface Move { square: string; flips: string[] }
export interface Result { black: number; winner: Color | null; reason: string }
export interface Name { id: string; en: string; fr: string }
export interface Opening extends Name { moves: string; left: boolean }
export interface Marks { circles: string[]; arrows: [string, string][] }

export interface Evaluation {
  black: number; exact?: boolean; depth?: number | null; pv?: string[]; text?: string; win?: number; draw?: number;
}
export interface TreeNode {
  id: string; move?: string; color?: Color; ply?: number; comment?: string; eval?: Evaluation; seconds?: number;
  label?: string; loss?: number; children?: TreeNode[];
}

export interface GameState {
  game: string; revision: number; title: string; tags: string[]; created: string;
  size: { rows: number; columns: number };
  players: ByColor<Player>;
  ponder: boolean; book: boolean;
  node: string; live: string; main: boolean;
  board: string; turn: Color; discs: ByColor<number>; ply: number;
  legal: Move[]; pass?: boolean;
  last: { square: string; color: Color; flips: string[]; passed: Color | null } | null;
  playing: boolean; your_turn: boolean; over: boolean; result: Result | null;
  clock: { black: number; white: number; increment: number; running: Color | null } | null;
  opening: Opening | null; forced: string[];
  can: { undo: boolean; redo: boolean; back: boolean; forward: boolean; resign: boolean; swap: boolean };
  values_on: boolean; thinking: Thinking | null; marks: Marks; saved: boolean;
  analysis?: Analysis | null; tree?: TreeNode;
}

export interface Thinking {
  color: Color | null; node?: string; depth?: number; of?: number; black?: number | null; exact?: boolean; pv?: string[];
  nodes?: number; seconds?: number; queued?: boolean;
}
export interface SquareValue {
  square: string; score: number; exact: boolean; depth: number; pv: string[]; source: string;
  win: number; draw: number; loss: number;
}
export interface Values { node: string; turn: Color; depth: number; done: boolean; best: string; squares: SquareValue[] }
export interface Hint extends Omit<SquareValue, "loss"> { node: string; turn: Color }

export interface AnalysedMove {
  node: string; color: Color; move: string; black: number; exact: boolean; win: number; loss: number;
  chance_loss: number; label: string; best: string; pv: string[];
}
export interface Phase { accuracy: number | null; loss: number; moves: number }
export interface Report { accuracy: number | null; loss: number; labels: Record<string, number>; phases: Record<string, Phase> }
export interface Mistake {
  node: string; played: string; color: Color; best: string; loss: number; chance_loss: number; label: string; pv: string[];
  squares: { square: string; score: number; loss: number; good: boolean }[];
  reasons: { code: string; data: Record<string, unknown> }[];
}
export interface Analysis {
  level: string; done: boolean; moves: AnalysedMove[]; players: ByColor<Report>;
  graph: { node: string; black: number; win: number }[]; mistakes: Mistake[];
}

export interface Summary {
  game: string; title: string; black: string; white: string; size: string; moves: number; result: Result | null;
  created: string; used: string; tags: string[]; opening: Name | null; transcript: string; source: string; deleted: boolean;
}
export interface Library { games: Summary[]; total: number; tags: { tag: string; games: number }[]; damaged: string[] }
export interface Imported { games: Summary[]; imported: number; errors: { where: string; reason: string }[]; failed: number }

export interface Job { job: string; done: boolean; progress: number; games: number; failed: number; result: Imported | null; error: ErrorBody | null }
export interface Count { games: number; black: number; draws: number; white: number }
export interface ExplorerMove {
  square: string; opening: Name | null;
  book: { score: number; exact: boolean; win: number | null; draw: number | null } | null;
  database: Count | null; own: Count | null;
}
export interface Explorer { moves: string; turn: Color; opening: Name | null; squares: ExplorerMove[]; book: boolean; database: boolean }

export interface Database { games: number; added: number; loading: boolean; message: string; may_change: boolean }
export interface Card {
  card: string; moves: string; board: string; turn: Color; last: string | null; legal: Move[]; opening: Name | null;
}
export interface Drill { cards: number; due: number; learnt: number; card: Card | null }
export interface DrillAnswer { right: boolean; answers: string[]; box: number; due: string }

export interface Checked {
  ok: boolean; board: string; turn: Color; discs: ByColor<number>; legal: Move[]; over: boolean; pass: boolean;
}
export interface Level { level: string; book_moves: number | null; depth: number; win_empties: number; exact_empties: number }
export interface Players {
  levels: Level[]; default: string;
  players: { name: string; summary: string; example: string; options: { name: string; expected: string; default: string }[] }[];
}
export interface Openings { openings: { id: string; en: string; fr: string; moves: string }[]; balanced: boolean }
export interface Info {
  program: Record<string, string>;
  engine: Record<string, string | number | boolean>;
  network: {
    name: string; facts: Record<string, string>; recipe: string; patterns: string[];
    data: { source: string; games: number }[]; errors: { empties: number; mae: number; network: number | null; policy: number | null }[];
    matches: { new: string; old: string; games: number; wins: number; draws: number; losses: number; elo: number | null }[];
  };
  book: { present: boolean; facts: Record<string, string>; by_moves: { moves: number; positions: number; exact: number; least: number; greatest: number }[] };
  formats: { name: string; endings: string[]; writes: boolean }[];
  limits: Record<string, number>;
  store: { ok: boolean; message: string };
  shared: boolean; language: string | null;
}

export interface ErrorBody { code: string; message: string; data?: Record<string, unknown> }

export type ServerEvent =
  | { event: "state"; state: GameState }
  | { event: "done"; id: number }
  | { event: "error"; id?: number; error: ErrorBody }
  | { event: "passed"; color: Color }
  | { event: "over"; result: Result; discs: ByColor<number> }
  | ({ event: "thinking" } & Thinking)
  | ({ event: "hint" } & Hint)
  | ({ event: "values" } & Values)
  | { event: "analysis"; progress: number; done: boolean; analysis: Analysis }
  | { event: "saved"; saved: boolean; error?: ErrorBody }
  | { event: "store"; ok: boolean; message: string };
