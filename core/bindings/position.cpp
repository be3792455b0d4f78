// othellier._core.Position: reference.Position for boards up to 8x8, the same to the last answer.
//
// The questions a Python loop asks at every ply are answered here. The rare ones (parse, random, repr ...)
// are the plain class's own functions, lent by native.py: they ask the others and need no twin. A bad
// argument is handed to the plain twin as well, which raises the right error with the right words.
//
// What a ply costs: a question about 30 ns, a list of moves 60 ns, a new Position 55 ns, three quarters of it
// nanobind and CPython. To stay there: size and turn are objects made once, lists are filled through the C
// API, squares are read without nanobind's converters, and nothing is thrown on a path that succeeds.
#include <array>
#include <stdexcept>

#include "bindings/bindings.h"
#include "board/board.h"

namespace nb = nanobind;

namespace {

using othellier::bit;
using othellier::Bits;
using othellier::Board;
using othellier::first_square;
using othellier::kPass;
using othellier::popcount;
using othellier::Shape;

constexpr int kSides = 3;  // 4, 6, 8

// Everything about a size that a position needs, made once a size.
struct Kind {
    Shape shape;
    Bits playable = 0;
    bool whole = false;        // 8x8: its numbering is the grid's
    PyObject* size = nullptr;  // the Python Size
    int number(Bits grid_square) const { return shape.from_grid(first_square(grid_square)); }
};

std::array<Kind, kSides * kSides> kinds;
PyObject *black_name, *white_name;  // interned: compared by address first
nb::handle plain_type;              // reference.Position

struct Position {
    Board board;
    const Kind* kind;
    bool white;  // to move

    const Shape& shape() const { return kind->shape; }
    Bits packed(Bits grid) const { return kind->whole ? grid : shape().from_grid(grid); }
    Bits moves() const { return board.moves(kind->playable); }
    Bits answers() const { return board.passed().moves(kind->playable); }
    PyObject* turn() const { return white ? white_name : black_name; }

    // Discs turned by a move to this square, 0 where there is no such move; on the grid.
    Bits flips(long square) const {
        if (square < 0 || square >= shape().squares()) return 0;
        const int place = kind->whole ? static_cast<int>(square) : shape().to_grid(static_cast<int>(square));
        return board.discs() & bit(place) ? 0 : board.flips(place);
    }
};

const Kind* find_kind(long rows, long columns) {
    const auto fits = [](long side) { return side == 4 || side == 6 || side == 8; };
    if (!fits(rows) || !fits(columns)) return nullptr;
    return &kinds[static_cast<std::size_t>(kSides * (rows / 2 - 2) + columns / 2 - 2)];
}

const Kind* find_kind(nb::handle size) {
    for (const Kind& kind : kinds)
        if (size.ptr() == kind.size) return &kind;
    if (!PyTuple_Check(size.ptr()) || PyTuple_GET_SIZE(size.ptr()) != 2) return nullptr;
    const long rows = PyLong_AsLong(PyTuple_GET_ITEM(size.ptr(), 0));
    const long columns = PyLong_AsLong(PyTuple_GET_ITEM(size.ptr(), 1));
    if (PyErr_Occurred()) throw nb::python_error();
    return find_kind(rows, columns);
}

constexpr long kNowhere = 1L << 30;  // no square of any board

// A whole number; one too large for the machine is larger than any that makes sense here.
long to_number(nb::handle number) {
    int overflow = 0;
    const long value = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
    if (overflow) return overflow < 0 ? -kNowhere : kNowhere;
    if (value == -1 && PyErr_Occurred()) throw nb::python_error();
    return value;
}

// A move by its name: f5, F5 or pass.
long named_square(const Position& p, PyObject* name) {
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(name, &length);
    if (!text) {
        PyErr_Clear();  // half of a surrogate pair: no name of anything
        return kNowhere;
    }
    const auto lower = [text](Py_ssize_t i) {
        return text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i];
    };
    if (length == 4 && lower(0) == 'p' && lower(1) == 'a' && lower(2) == 's' && lower(3) == 's') return kPass;
    if (length != 2) return kNowhere;
    const long column = lower(0) - 'a', row = text[1] - '1';
    const Shape& s = p.shape();
    return column < 0 || column >= s.columns || row < 0 || row >= s.rows ? kNowhere
                                                                         : s.columns * row + column;
}

// A move or square by number or by name; what is neither gets the plain twin's error.
long to_square(const Position& p, nb::handle move) {
    if (PyUnicode_Check(move.ptr())) return named_square(p, move.ptr());
    if (!PyIndex_Check(move.ptr()))
        nb::module_::import_("othellier.rules.geometry").attr("to_square")(move, nb::handle(p.kind->size));
    return to_number(move);
}

nb::object to_plain(const Position& p) {
    return plain_type(p.packed(p.board.player), p.packed(p.board.opponent), nb::handle(p.turn()),
                      nb::handle(p.kind->size));
}

// False where the object is no number, or one that no 64 squares can hold.
bool to_bits(nb::handle object, Bits& bits) {
    PyObject* number = PyNumber_Index(object.ptr());
    if (number) {
        bits = PyLong_AsUnsignedLongLong(number);
        Py_DECREF(number);
    }
    const bool fits = !PyErr_Occurred();
    PyErr_Clear();
    return fits;
}

void make(Position* place, nb::handle player, nb::handle opponent, nb::handle turn, nb::handle size) {
    Bits mine = 0, theirs = 0;
    const bool numbers = to_bits(player, mine) && to_bits(opponent, theirs);
    const Kind* kind = find_kind(size);
    const bool is_black = nb::handle(black_name).equal(turn), is_white = nb::handle(white_name).equal(turn);
    const bool inside = kind && (kind->whole || !((mine | theirs) >> kind->shape.squares()));
    if (!numbers || !inside || (mine & theirs) || !(is_black || is_white)) {
        plain_type(player, opponent, turn, size);
        const nb::object error = nb::module_::import_("othellier.errors").attr("InvalidPosition");
        PyErr_SetString(
            error.ptr(),
            "the compiled core holds even sizes from 4x4 to 8x8: othellier.Position takes larger ones");
        throw nb::python_error();
    }
    new (place) Position{{kind->shape.to_grid(mine), kind->shape.to_grid(theirs)}, kind, is_white};
}

nb::object squares_list(const Position& p, Bits grid) {
    PyObject* list = PyList_New(popcount(grid));
    if (!list) throw nb::python_error();
    for (Py_ssize_t i = 0; grid; grid &= grid - 1, ++i)
        PyList_SET_ITEM(list, i, PyLong_FromLong(p.kind->number(grid)));  // below 64: never fails
    return nb::steal(list);
}

Position play(const Position& p, nb::handle move) {
    const long square = to_square(p, move);
    if (square == kPass && !p.moves() && p.answers()) return {p.board.passed(), p.kind, !p.white};
    const Bits flipped = p.flips(square);
    if (!flipped) {
        to_plain(p).attr("play")(move);
        throw std::logic_error("the plain rules play a move the core refuses");
    }
    const int place = p.kind->whole ? static_cast<int>(square) : p.shape().to_grid(static_cast<int>(square));
    return {p.board.played(place, flipped), p.kind, !p.white};
}

bool is_legal(const Position& p, nb::handle move) {
    const long square = to_square(p, move);
    return square == kPass ? !p.moves() && p.answers() : p.flips(square) != 0;
}

Position transform(const Position& p, nb::handle number) {
    const long symmetry = PyIndex_Check(number.ptr()) ? to_number(number) : kNowhere;
    if (symmetry < 0 || symmetry > 7) {
        to_plain(p).attr("transform")(number);
        throw std::logic_error("the plain rules know a symmetry the core does not");
    }
    const Shape& s = p.shape();
    const Kind* kind = symmetry & 4 ? find_kind(s.columns, s.rows) : p.kind;
    return {p.board.transformed(static_cast<int>(symmetry)), kind, p.white};
}

// Centring and packing keep the order of squares, so the smallest on the grid is the smallest packed.
Position canonical(const Position& p) {
    return {p.board.canonical(p.shape().rows == p.shape().columns), p.kind, p.white};
}

// Hours may pass in a deep count: every tenth of a second or so, Python may look for Ctrl-C.
std::uint64_t leaves(const Board& board, long depth, Bits playable) {
    Bits todo = board.moves(playable);
    if (depth <= 9 || board.over(playable)) {
        nb::gil_scoped_release release;
        return othellier::perft(board, static_cast<int>(depth), playable);
    }
    if (PyErr_CheckSignals()) throw nb::python_error();
    if (!todo) return leaves(board.passed(), depth - 1, playable);
    std::uint64_t sum = 0;
    for (; todo; todo &= todo - 1) sum += leaves(board.played(first_square(todo)), depth - 1, playable);
    return sum;
}

nb::object perft(const Position& p, nb::handle depth) {
    const long plies = PyIndex_Check(depth.ptr()) ? to_number(depth) : -1;
    if (plies < 0) return to_plain(p).attr("perft")(depth);
    return nb::int_(leaves(p.board, plies, p.kind->playable));
}

int score(const Position& p, nb::handle count) {
    const bool plain =
        PyUnicode_Check(count.ptr()) && PyUnicode_CompareWithASCIIString(count.ptr(), "discs") == 0;
    return othellier::final_score(p.board, p.shape().squares(), plain);
}

nb::tuple fields(const Position& p) {
    return nb::make_tuple(p.packed(p.board.player), p.packed(p.board.opponent), nb::handle(p.turn()),
                          nb::handle(p.kind->size));
}

nb::object equal(const Position& p, nb::handle other) {
    const Position* twin = nullptr;
    if (nb::inst_check(other) && nb::try_cast(other, twin))
        return nb::bool_(p.board == twin->board && p.kind == twin->kind && p.white == twin->white);
    if (Py_TYPE(other.ptr()) == reinterpret_cast<PyTypeObject*>(plain_type.ptr()))
        return nb::bool_(to_plain(p).equal(other));
    return nb::borrow(Py_NotImplemented);
}

// Unpickled by the factory, so that a machine without the core reads it as a plain position.
nb::object reduce(const Position& p) {
    return nb::make_tuple(nb::module_::import_("othellier.rules.native").attr("position"), fields(p));
}

}  // namespace

void bind_position(nb::module_& m) {
    const nb::object size = nb::module_::import_("othellier.rules.geometry").attr("Size");
    for (int rows : {4, 6, 8})
        for (int columns : {4, 6, 8}) {
            Kind& kind = const_cast<Kind&>(*find_kind(rows, columns));
            kind.shape = {rows, columns};
            kind.playable = kind.shape.playable();
            kind.whole = rows == 8 && columns == 8;
            kind.size = size(rows, columns).release().ptr();
        }
    black_name = PyUnicode_InternFromString("black");
    white_name = PyUnicode_InternFromString("white");
    plain_type = nb::object(nb::module_::import_("othellier.reference").attr("Position")).release();

    nb::class_<Position>(m, "Position", nb::is_final(), nb::pooled(256))
        .def(
            "__init__", &make, nb::arg("player").none(), nb::arg("opponent").none(),
            nb::arg("turn").none() = nb::handle(black_name),
            nb::arg("size").none() = nb::handle(find_kind(8, 8)->size),
            nb::sig(
                "def __init__(self, player: int, opponent: int, turn: othellier.rules.board.Color = 'black', "
                "size: othellier.rules.geometry.Size = ...) -> None"))
        .def_prop_ro("player", [](const Position& p) { return p.packed(p.board.player); })
        .def_prop_ro("opponent", [](const Position& p) { return p.packed(p.board.opponent); })
        .def_prop_ro(
            "turn", [](const Position& p) { return nb::borrow(p.turn()); },
            nb::sig("def turn(self) -> othellier.rules.board.Color"))
        .def_prop_ro(
            "size", [](const Position& p) { return nb::borrow(p.kind->size); },
            nb::sig("def size(self) -> othellier.rules.geometry.Size"))
        .def_prop_ro("black",
                     [](const Position& p) { return p.packed(p.white ? p.board.opponent : p.board.player); })
        .def_prop_ro("white",
                     [](const Position& p) { return p.packed(p.white ? p.board.player : p.board.opponent); })
        .def_prop_ro("empty_mask",
                     [](const Position& p) { return p.packed(p.board.empty(p.kind->playable)); })
        .def_prop_ro("empties", [](const Position& p) { return popcount(p.board.empty(p.kind->playable)); })
        .def("moves_mask", [](const Position& p) { return p.packed(p.moves()); })
        .def(
            "moves", [](const Position& p) { return squares_list(p, p.moves()); },
            nb::sig("def moves(self) -> list[int]"))
        .def(
            "flips_mask",
            [](const Position& p, nb::handle square) { return p.packed(p.flips(to_square(p, square))); },
            nb::arg("square").none(),
            nb::sig("def flips_mask(self, square: othellier.rules.geometry.Move) -> int"))
        .def(
            "flips",
            [](const Position& p, nb::handle square) {
                return squares_list(p, p.flips(to_square(p, square)));
            },
            nb::arg("square").none(),
            nb::sig("def flips(self, square: othellier.rules.geometry.Move) -> list[int]"))
        .def("is_legal", &is_legal, nb::arg("move").none(),
             nb::sig("def is_legal(self, move: othellier.rules.geometry.Move) -> bool"))
        .def("must_pass", [](const Position& p) { return !p.moves() && p.answers(); })
        .def("is_over", [](const Position& p) { return !p.moves() && !p.answers(); })
        .def("score", &score, nb::arg("count") = "winner",
             nb::sig("def score(self, count: othellier.rules.board.Count = 'winner') -> int"))
        .def("play", &play, nb::arg("move").none(),
             nb::sig("def play(self, move: othellier.rules.geometry.Move) -> Position"))
        .def("perft", &perft, nb::arg("depth").none(), nb::sig("def perft(self, depth: int) -> int"))
        .def("transform", &transform, nb::arg("symmetry").none(),
             nb::sig("def transform(self, symmetry: int) -> Position"))
        .def("canonical", &canonical)
        .def("__eq__", &equal, nb::arg("other").none(), nb::sig("def __eq__(self, other: object) -> bool"))
        .def("__hash__", [](const Position& p) { return nb::hash(fields(p)); })
        .def("__reduce__", &reduce, nb::sig("def __reduce__(self) -> tuple[object, ...]"))
        .def(
            "__copy__", [](nb::handle self) { return nb::borrow(self); },
            nb::sig("def __copy__(self) -> Position"))
        .def(
            "__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); }, nb::arg("memo"),
            nb::sig("def __deepcopy__(self, memo: object) -> Position"));
}
