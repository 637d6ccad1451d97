"""Checks that need the compiler: writable globals in the object files, headers that compile alone."""
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from sources import files, is_rows

THREAD_LOCAL = re.compile(r"\.t(data|bss)\b")  # objdump calls their symbols no objects
WRITABLE = re.compile(r"\.(data|bss|tdata|tbss)(?!\.rel\.ro)\b|\*COM\*")


def allowed(top):
    """globals.allow: `FILE SYMBOL reason` a line."""
    lines = (top / "testsuite/checks/globals.allow").read_text().splitlines()
    return {tuple(line.split()[:2]) for line in lines if line.strip() and not line.startswith("#")}


def objects(build):
    """Object files of the product with the source they come from; tests and fuzz targets are not the product, and what a second
    compiler has made of the same sources (X.p/source/...) is known."""
    for path in sorted((build / "source").rglob("*.o")):
        directory = path.parent.name
        if ".p/source/" not in str(path) and not re.match(r"(test|fuzz)_", directory):
            room = path.parent.parent.relative_to(build / "source")
            yield path, f"{room}/{path.name[:-2]}"


def writable_globals(top, build):
    allow, used = allowed(top), set()
    for path, source in objects(build):
        table = subprocess.run(["objdump", "-t", "-w", str(path)], capture_output=True, text=True, check=True).stdout
        for line in table.splitlines():
            found = re.match(r"[0-9a-f]+ (.{7}) (\S+)\s+[0-9a-f]+ (?:\.hidden )?(\S+)$", line)
            is_object = found and ("O" in found.group(1) or THREAD_LOCAL.match(found.group(2)))
            if not is_object or "d" in found.group(1) or not WRITABLE.match(found.group(2)):
                continue
            name = re.sub(r"\.\d+$", "", found.group(3))
            used.add((source, name))
            if (source, name) not in allow:
                yield f"source/{source}: writable global {name} (a context should own it)"
    for source, name in sorted(allow - used):
        yield f"globals.allow: {source} has no {name} any more"


# What a library in somebody else's program leaves alone: functions with one buffer or position for all threads, and those that
# change what belongs to the process. Source: attributes(7), the pages of glibc
OF_THE_PROCESS = set("""
    asctime ctime gmtime localtime strtok rand srand random srandom drand48 lrand48 mrand48 strsignal ttyname getlogin tmpnam tempnam
    mktemp basename dirname crypt hcreate hsearch hdestroy lgamma ecvt fcvt ptsname inet_ntoa getopt getopt_long res_init
    getpwuid getpwnam getpwent setpwent endpwent fgetpwent getgrgid getgrnam getgrent fgetgrent getspnam getservbyname getprotobyname
    gethostbyname gethostbyaddr gethostent getnetgrent dlerror localeconv setlocale textdomain bindtextdomain
    setenv putenv unsetenv clearenv signal sigaction bsd_signal sigprocmask sigwait sigsuspend sigaltstack raise kill alarm setitimer
    exit atexit on_exit abort quick_exit _exit chdir fchdir chroot umask setrlimit setrlimit64 setpriority nice mallopt
    fork vfork popen pclose system daemon wait waitpid setuid setgid seteuid setegid setreuid setregid setresuid setresgid setgroups
    initgroups setsid setpgid printf vprintf puts putchar perror err warn fputs syslog openlog closelog stdin stdout stderr
""".split())


def library_calls(top, build):
    """What libdrmaa takes from libc; drmaa.allow has a line `SYMBOL reason` for what it has and never calls in a host program."""
    lines = (top / "testsuite/checks/drmaa.allow").read_text().splitlines()
    allow = {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}
    table = subprocess.run(["nm", "-D", "-u", str(build / "source/libs/drmaa/libdrmaa.so.1.0")], capture_output=True, text=True, check=True)
    used = {line.split()[-1].split("@")[0] for line in table.stdout.splitlines()}
    for name in sorted(used & OF_THE_PROCESS - allow):
        yield f"libdrmaa calls {name}, which belongs to its host program"
    for name in sorted(allow - used):
        yield f"drmaa.allow: libdrmaa has no {name} any more"


def threads(top, build):
    """Programs with the heap of small programs (libs/uti/small_heap.h), which has no lock, start no thread."""
    for path in sorted((build / "source").glob("*/*/*")) + sorted((build / "source").glob("*/*")):
        if path.is_file() and "." not in path.name and not path.name.startswith("test_"):
            symbols = {line.split()[-1] for line in subprocess.run(["nm", "--defined-only", str(path)], capture_output=True, text=True).stdout.splitlines()}
            for name in sorted(symbols & {"pthread_create", "thrd_create"} if "small_heap_alloc" in symbols and "malloc" in symbols else ()):
                yield f"{path.relative_to(build)}: has {name}, and a heap without a lock"


def headers_alone(top, build):
    fonts = subprocess.run(["pkg-config", "--cflags", "xft"], capture_output=True, text=True).stdout.split()  # qmon's headers draw with it

    def compiles(path):
        command = ["gcc", "-std=gnu17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I",
                   str(top / "source"), *fonts, "-include", str(path), "-x", "c", "/dev/null"]
        return path, subprocess.run(command, capture_output=True, text=True).stderr

    headers = [p for p in files(top, ".h") if not is_rows(p)]
    with ThreadPoolExecutor(2) as pool:
        for path, errors in pool.map(compiles, headers):
            if errors:
                yield f"{path.relative_to(top)}: {errors.splitlines()[0]}"
