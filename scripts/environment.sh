#!/bin/sh
# Makes .venv with the newest Python from 3.11 on that is there, and makes it anew where it is broken.
# PYTHON=... chooses another. What is missing is said in one line, with how to get it.
set -eu

say() {
    echo "othellier: $*" >&2
}

usable='import sys; sys.exit(sys.version_info < (3, 11))'
complete='import ensurepip, venv'

# A whole environment runs, is new enough and has pip: interrupted set-ups and removed Pythons leave others behind.
if .venv/bin/python -c "$usable" 2> /dev/null && .venv/bin/python -c 'import pip' 2> /dev/null; then
    exit 0
fi

found=
without=
old=
# The versions whose packages are known to be there come first. A name on the path need not run: ask it.
for name in ${PYTHON:-python3.14 python3.13 python3.12 python3.11 python3 python}; do
    "$name" -c '' 2> /dev/null || continue
    if ! "$name" -c "$usable" 2> /dev/null; then
        old=$("$name" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    elif ! "$name" -c "$complete" 2> /dev/null; then
        without=$name
    else
        found=$name
        break
    fi
done

if [ -z "$found" ]; then
    if [ -n "$without" ]; then
        say "$without has no venv module: get it with 'apt install $(basename "$without")-venv', or a Python from python.org"
    elif [ -n "$old" ]; then
        say "Python 3.11 or newer is needed and here is $old: get it with 'apt install python3', 'brew install python' or from python.org"
    else
        say "Python 3.11 or newer is needed and not here${PYTHON:+ as $PYTHON}: get it with 'apt install python3 python3-venv', 'brew install python' or from python.org"
    fi
    exit 1
fi
rm -rf .venv
"$found" -m venv .venv || {
    rm -rf .venv
    say "$found could not make an environment in .venv: is the disk full, or not writable?"
    exit 1
}
