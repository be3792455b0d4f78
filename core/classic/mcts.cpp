// Compiled without contraction of floating-point expressions (CMakeLists.txt): UCB1 must round as Python
// does.
#include "classic/mcts.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "classic/table.h"

namespace othellier::mcts {

namespace {

constexpr std::uint64_t kCheckEvery = 16;  // iterations between two looks at the clock, as in search/mcts.py
constexpr std::uint64_t kAskEvery = 4096;  // iterations between two calls of `stop`: it may be costly

int half_points(int difference) { return difference > 0 ? 2 : difference == 0 ? 1 : 0; }
int difference(const Board& board) { return popcount(board.player) - popcount(board.opponent); }

}  // namespace

Mcts::Mcts(const Shape& shape, const Options& options)
    : shape_(shape), options_(options), playable_(shape.playable()), random_(options.seed) {
    const int least = *std::min_element(options.values.begin(), options.values.end());
    for (int i = 0; i < shape.squares(); ++i) values_[shape.to_grid(i)] = options.values[i] - least + 1;
}

Outcome Mcts::search(Board board, std::optional<std::uint64_t> iterations, std::optional<double> time,
                     const std::function<bool()>& stop) {
    if (busy_.exchange(true)) throw TurnTaken("the tree is being searched already");
    const struct Done {
        std::atomic<bool>& busy;
        ~Done() { busy = false; }
    } done_at_last{busy_};
    using Clock = std::chrono::steady_clock;
    const auto begun = Clock::now();
    counters_ = {};
    int symmetry = 0;
    if (options_.symmetry) {
        symmetry = classic::canonical_symmetry(board, square_shape());
        board = board.transformed(symmetry);
    }
    root_ = begin(board);
    counters_.kept = nodes_.size() - counters_.nodes;
    for (std::uint64_t done = 0; !iterations || done < *iterations;) {
        iterate();
        ++done;
        if (done % kCheckEvery == 0 && time &&
            std::chrono::duration<double>(Clock::now() - begun).count() >= *time)
            break;
        if (done % kAskEvery == 0 && stop && stop()) break;
    }

    // The line of the most visited moves, seen again from the side the position was given.
    Outcome found;
    const int back = classic::inverse_symmetry(symmetry);
    const auto named = [&](int move) {
        return move == kPass ? kPass : shape_.from_grid(transform_square(move, back));
    };
    const Node* node = &nodes_[root_];
    for (int e = 0; e < node->tried; ++e) {
        const Edge& edge = edges_[node->edges + static_cast<Index>(e)];
        const Node& child = nodes_[edge.child];
        found.moves.push_back({named(edge.move), child.wins / (2.0 * child.visits), child.visits});
    }
    while (const Edge* edge = best_edge(*node)) {
        node = &nodes_[edge->child];
        if (found.line.empty()) found.value = static_cast<double>(node->wins) / (2.0 * node->visits);
        found.line.push_back(named(edge->move));
        if (options_.symmetry) break;  // further down, every node is turned its own way
    }
    found.counters = counters_;
    return found;
}

void Mcts::iterate() {
    // 1. Selection, down to a position with an untried move, and 2. expansion.
    Index at = root_;
    bool fresh = false;
    path_.assign(1, root_);
    while (!fresh && !nodes_[at].over) {
        Index child;
        if (nodes_[at].untried && nodes_.size() < options_.max_nodes) {
            child = expand(at, fresh);
            if (child == kNone) continue;
        } else if (nodes_[at].tried) {
            child = select(nodes_[at]);
        } else {
            break;
        }
        at = child;
        path_.push_back(at);
    }

    // 3. Simulation, unless the tree itself has reached the end of a game.
    int points;
    if (nodes_[at].over) {
        ++counters_.leaves;
        points = half_points(difference(nodes_[at].board));
    } else {
        ++counters_.rollouts;
        points = play_out(nodes_[at].board, path_.size() % 2 == 0);
    }

    // 4. Back-propagation: the points of one side are those the other lacks.
    for (auto i = path_.rbegin(); i != path_.rend(); ++i) {
        points = 2 - points;
        ++nodes_[*i].visits;
        nodes_[*i].wins += static_cast<std::uint32_t>(points);
    }
}

// The child with the largest UCB1, the first of equal ones.
Mcts::Index Mcts::select(const Node& node) const {
    const double log = std::log(static_cast<double>(node.visits));
    Index best = kNone;
    double most = 0;
    for (const Edge* e = &edges_[node.edges]; e != &edges_[node.edges] + node.tried; ++e) {
        const Node& child = nodes_[e->child];
        const double visits = child.visits;
        const double ucb = child.wins / (2 * visits) + options_.c * std::sqrt(log / visits);
        if (best == kNone || ucb > most) best = e->child, most = ucb;
    }
    return best;
}

// Adds an untried move, drawn at random: where it leads, or nowhere if a symmetric move has been tried.
Mcts::Index Mcts::expand(Index at, bool& fresh) {
    if (nodes_[at].edges == kNone) {
        Node& node = nodes_[at];
        node.edges = static_cast<Index>(edges_.size());
        edges_.resize(edges_.size() + node.places);
        Edge* last = &edges_[node.edges] + node.places;
        Bits moves = node.board.moves(playable_);
        if (!moves) *--last = {kNone, kPass};
        for (; moves; moves &= moves - 1) *--last = {kNone, static_cast<std::int8_t>(first_square(moves))};
    }
    Node& node = nodes_[at];
    Edge* end = &edges_[node.edges] + node.places;  // the untried moves count down from here
    const auto drawn = static_cast<std::ptrdiff_t>(random_.below(node.untried));
    std::swap(end[-1 - drawn], end[-std::ptrdiff_t{node.untried}]);
    const int move = end[-std::ptrdiff_t{node.untried}].move;
    --node.untried;
    const Index child = add(move == kPass ? node.board.passed() : node.board.played(move), fresh);

    Node& parent = nodes_[at];  // adding a node may have moved them all
    Edge* edges = &edges_[parent.edges];
    if (!fresh && std::any_of(edges, edges + parent.tried, [&](const Edge& e) { return e.child == child; }))
        return kNone;
    edges[parent.tried++] = {child, static_cast<std::int8_t>(move)};
    return child;
}

// The node of a state, and whether it is new.
Mcts::Index Mcts::add(Board board, bool& fresh) {
    if (options_.symmetry) board = board.transformed(classic::canonical_symmetry(board, square_shape()));
    const Index index = static_cast<Index>(nodes_.size());
    fresh = true;
    if (merges()) {
        const auto [entry, added] = known_.try_emplace(board, index);
        if (!added) {
            ++counters_.table_hits;
            fresh = false;
            return entry->second;
        }
    }
    Node node;
    node.board = board;
    const int moves = popcount(board.moves(playable_));
    node.over = !moves && !board.passed().moves(playable_);
    node.places = node.untried = static_cast<std::uint8_t>(node.over ? 0 : std::max(moves, 1));
    nodes_.push_back(node);
    ++counters_.nodes;
    return index;
}

// Plays a game to its end: the half points of the side to move.
int Mcts::play_out(Board board, bool hostile) {
    const bool first = hostile;
    for (bool blocked = false;;) {
        const Bits moves = board.moves(playable_);
        if (!moves) {
            if (blocked) break;
            board = board.passed();
        } else {
            board = board.played(choose(moves, hostile));
        }
        blocked = !moves;
        hostile = !hostile;
    }
    return half_points(hostile == first ? difference(board) : -difference(board));
}

int Mcts::choose(Bits moves, bool hostile) {
    if (!hostile || options_.rollout == Rollout::kRandom)
        return nth_square(moves,
                          static_cast<int>(random_.below(static_cast<std::uint64_t>(popcount(moves)))));
    if (options_.rollout == Rollout::kGreedy) {
        int best = first_square(moves);
        for (; moves; moves &= moves - 1)
            if (const int square = first_square(moves); values_[square] > values_[best]) best = square;
        return best;
    }
    std::int64_t total = 0;
    for (Bits rest = moves; rest; rest &= rest - 1) total += values_[first_square(rest)];
    auto ticket = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(total)));
    for (;; moves &= moves - 1) {
        ticket -= values_[first_square(moves)];
        if (ticket < 0) return first_square(moves);
    }
}

const Mcts::Edge* Mcts::best_edge(const Node& node) const {
    const Edge* best = nullptr;
    for (int i = 0; i < node.tried; ++i) {
        const Edge* e = &edges_[node.edges + static_cast<Index>(i)];
        const Node& child = nodes_[e->child];
        const Node* leader = best ? &nodes_[best->child] : nullptr;
        if (!leader || child.visits > leader->visits ||
            (child.visits == leader->visits && child.wins > leader->wins))
            best = e;
    }
    return best;
}

// The root: a position two moves on in the kept tree, or a new one; all else is forgotten.
Mcts::Index Mcts::begin(const Board& board) {
    std::vector<Index> generation;
    if (root_ != kNone && options_.keep) generation.push_back(root_);
    for (int step = 0; step < 4; ++step) {  // two moves, and a pass between or after them
        std::vector<Index> next;
        for (Index i : generation) {
            const Node& node = nodes_[i];
            if (node.board == board) {
                forget_all_but(i);
                return 0;
            }
            for (int e = 0; e < node.tried; ++e)
                next.push_back(edges_[node.edges + static_cast<Index>(e)].child);
        }
        generation.swap(next);
    }
    nodes_.clear();
    edges_.clear();
    known_.clear();
    bool fresh;
    return add(board, fresh);
}

// Copies what can be reached from the new root, which becomes node 0.
void Mcts::forget_all_but(Index root) {
    std::vector<Index> moved(nodes_.size(), kNone);
    std::vector<Node> nodes{nodes_[root]};
    std::vector<Edge> edges;
    moved[root] = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node node = nodes[i];
        if (node.edges == kNone) continue;
        nodes[i].edges = static_cast<Index>(edges.size());
        for (int e = 0; e < node.places; ++e) {
            Edge edge = edges_[node.edges + static_cast<Index>(e)];
            if (e < node.tried) {
                if (moved[edge.child] == kNone) {
                    moved[edge.child] = static_cast<Index>(nodes.size());
                    nodes.push_back(nodes_[edge.child]);
                }
                edge.child = moved[edge.child];
            }
            edges.push_back(edge);
        }
    }
    nodes_.swap(nodes);
    edges_.swap(edges);
    known_.clear();
    if (merges())
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            known_.emplace(nodes_[i].board, static_cast<Index>(i));
}

}  // namespace othellier::mcts
