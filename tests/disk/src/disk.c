/* A disk that is full or fails, for the files of one folder: preloaded, it stands between a program and
 * the C library. Needs no mount and no rights, so it works in any container.
 *
 * The folder is SKEIN_DATA_DIR; files below SKEIN_DISK_FOLDER count, too. A lasting fault is the content of
 * the file `disk-fault` in SKEIN_DATA_DIR: a word, and a pattern for the paths that it is about, as in
 * "full *.db". Before a fault kills the program, it removes the file. A fault of one operation is SKEIN_DISK_STEP: "12:kill", "12:full" or "12:failing" for the twelfth operation of all
 * threads, "0:count" for none; the number of operations is then written into the file `disk-operations`. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { WRITES, SYNCS, NAMES };

/* The rest of a path behind the folder of this variable: "" for the folder itself, NULL for what is not
 * below it. */
static const char *below(const char *variable, const char *path) {
    const char *folder = getenv(variable);
    if (folder == NULL) return NULL;
    size_t prefix = strlen(folder);
    if (strncmp(path, folder, prefix) != 0 || (path[prefix] != '/' && path[prefix] != '\0')) return NULL;
    return path + prefix;
}

/* The rest of a path behind one of the folders. */
static const char *below_folder(const char *path) {
    const char *rest = below("SKEIN_DATA_DIR", path);
    if (rest == NULL) return below("SKEIN_DISK_FOLDER", path);
    /* What the toolkit keeps in its home, and what the driver logs, is not the program's. */
    if (strncmp(rest, "/home/", 6) == 0 || strcmp(rest, "/driver.log") == 0) return NULL;
    return rest;
}

static atomic_int operations;

/* Counts an operation; the errno that it fails with, or the end of the program, if it is the chosen one. */
static int fault_of_step(void) {
    const char *step = getenv("SKEIN_DISK_STEP");
    if (step == NULL) return 0;
    int number = atomic_fetch_add(&operations, 1) + 1;
    if (number != atoi(step)) return 0;
    const char *fault = strchr(step, ':');
    if (fault == NULL) return 0;
    if (strcmp(fault, ":kill") == 0) kill(getpid(), SIGKILL);
    return strcmp(fault, ":full") == 0 ? ENOSPC : EIO;
}

/* The errno that an operation fails with by the file `disk-fault`, or the end of the program; 0: it
 * succeeds. */
static int lasting_fault(const char *path, int is_folder, int operation) {
    char name[PATH_MAX + 16], line[PATH_MAX] = "", fault[16] = "", pattern[PATH_MAX] = "*";
    snprintf(name, sizeof name, "%s/disk-fault", getenv("SKEIN_DATA_DIR"));
    int control = open(name, O_RDONLY | O_CLOEXEC);
    if (control < 0) return 0;
    if (read(control, line, sizeof line - 1) < 0) line[0] = '\0';
    close(control);
    sscanf(line, "%15s %4095s", fault, pattern);
    if (fnmatch(pattern, path, 0) != 0) return 0;
    if (strcmp(fault, "full") == 0) return operation == WRITES ? ENOSPC : 0;
    if (strcmp(fault, "failing") == 0) return operation != NAMES ? EIO : 0;
    if (strcmp(fault, "unnamed") == 0) return is_folder && operation == SYNCS ? EIO : 0;
    if (strcmp(fault, "unsynced") == 0) return operation == SYNCS ? EIO : 0;
    const char *const deadly[] = {[WRITES] = "write-kill", [SYNCS] = "sync-kill", [NAMES] = "name-kill"};
    if (strcmp(fault, deadly[operation]) == 0) {
        unlinkat(AT_FDCWD, name, 0);
        kill(getpid(), SIGKILL);
    }
    return 0;
}

static int fault_at(const char *path, int operation) {
    const char *rest = below_folder(path);
    if (rest == NULL) return 0;
    int fault = lasting_fault(path, rest[0] == '\0', operation);
    return fault != 0 ? fault : fault_of_step();
}

/* The errno that an operation on an open file fails with; 0: it succeeds. */
static int fault_of(int file, int operation) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = '\0';
    return fault_at(path, operation);
}

__attribute__((destructor)) static void write_count(void) {
    const char *step = getenv("SKEIN_DISK_STEP"), *folder = getenv("SKEIN_DATA_DIR");
    if (step == NULL || folder == NULL || strcmp(step, "0:count") != 0) return;
    char name[PATH_MAX + 32];
    snprintf(name, sizeof name, "%s/disk-operations", folder);
    int number = atomic_load(&operations);
    FILE *file = fopen(name, "w");
    if (file == NULL) return;
    fprintf(file, "%d", number);
    fclose(file);
}

#define NEXT(name) \
    static typeof(&name) next; \
    if (next == NULL) next = (typeof(&name))dlsym(RTLD_NEXT, #name)

#define REFUSE_FOR(fault_found) \
    int fault = fault_found; \
    if (fault != 0) { \
        errno = fault; \
        return -1; \
    }

#define REFUSE(file, operation) REFUSE_FOR(fault_of(file, operation))
#define REFUSE_NAME(path) REFUSE_FOR(fault_at(path, NAMES))

ssize_t write(int file, const void *bytes, size_t count) {
    NEXT(write);
    REFUSE(file, WRITES);
    return next(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
    NEXT(pwrite);
    REFUSE(file, WRITES);
    return next(file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
    NEXT(pwrite64);
    REFUSE(file, WRITES);
    return next(file, bytes, count, at);
}

int fsync(int file) {
    NEXT(fsync);
    REFUSE(file, SYNCS);
    return next(file);
}

int fdatasync(int file) {
    NEXT(fdatasync);
    REFUSE(file, SYNCS);
    return next(file);
}

int ftruncate(int file, off_t length) {
    NEXT(ftruncate);
    REFUSE(file, WRITES);
    return next(file, length);
}

int ftruncate64(int file, off64_t length) {
    NEXT(ftruncate64);
    REFUSE(file, WRITES);
    return next(file, length);
}

int rename(const char *old, const char *new) {
    NEXT(rename);
    REFUSE_NAME(new);
    return next(old, new);
}

int unlink(const char *path) {
    NEXT(unlink);
    REFUSE_NAME(path);
    return next(path);
}

int mkdir(const char *path, mode_t mode) {
    NEXT(mkdir);
    REFUSE_NAME(path);
    return next(path, mode);
}

/* Only the creation of a file is an operation. */
#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        NEXT(name); \
        mode_t mode = 0; \
        if (flags & (O_CREAT | __O_TMPFILE)) { \
            va_list arguments; \
            va_start(arguments, flags); \
            mode = va_arg(arguments, mode_t); \
            va_end(arguments); \
        } \
        if ((flags & O_CREAT) && access(path, F_OK) != 0) { \
            REFUSE_NAME(path); \
        } \
        return next(path, flags, mode); \
    }

OPEN(open)
OPEN(open64)
