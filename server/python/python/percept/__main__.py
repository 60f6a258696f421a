"""`python -m percept`: the program `percept` that was installed with this package."""

import os
import subprocess
import sys
import sysconfig


def program() -> str:
    """The path of the program: that of this environment, else the one on the path."""
    name = "percept" + sysconfig.get_config_var("EXE")
    path = os.path.join(sysconfig.get_path("scripts"), name)
    return path if os.path.exists(path) else name


if __name__ == "__main__":
    try:
        sys.exit(subprocess.run([program(), *sys.argv[1:]], check=False).returncode)
    except FileNotFoundError:
        sys.exit("the program `percept` is not there: pip install ./server/python builds it")
