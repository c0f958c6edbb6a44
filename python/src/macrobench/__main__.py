"""python -m macrobench is the program."""

from ._executable import main

if __name__ == "__main__":
    main()
