/* A disk that is full or fails, for the files of one folder: preloaded, it stands between a program and
 * the C library. Needs no mount and no rights, so it works in any container.
 *
 * The folder is SKEIN_DATA_DIR; the fault is the content of the file `disk-fault` in it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { WRITES, SYNCS };

/* The errno that an operation on the file fails with; 0: it succeeds. */
static int fault_of(int file, int operation) {
    const char *folder = getenv("SKEIN_DATA_DIR");
    if (folder == NULL) return 0;
    char link[64], path[PATH_MAX], name[PATH_MAX + 16], fault[16] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = '\0';
    size_t prefix = strlen(folder);
    int is_folder = strcmp(path, folder) == 0;
    if (!is_folder && (strncmp(path, folder, prefix) != 0 || path[prefix] != '/')) return 0;
    /* What the toolkit keeps in its home, and what the driver logs, is not the program's. */
    if (strncmp(path + prefix, "/home/", 6) == 0 || strcmp(path + prefix, "/driver.log") == 0) return 0;
    snprintf(name, sizeof name, "%s/disk-fault", folder);
    int control = open(name, O_RDONLY | O_CLOEXEC);
    if (control < 0) return 0;
    if (read(control, fault, sizeof fault - 1) < 0) fault[0] = '\0';
    close(control);
    if (strcmp(fault, "full") == 0) return operation == WRITES ? ENOSPC : 0;
    if (strcmp(fault, "failing") == 0) return EIO;
    if (strcmp(fault, "unnamed") == 0) return is_folder && operation == SYNCS ? EIO : 0;
    if (strcmp(fault, "unsynced") == 0) return operation == SYNCS ? EIO : 0;
    return 0;
}

#define NEXT(name) \
    static typeof(&name) next; \
    if (next == NULL) next = (typeof(&name))dlsym(RTLD_NEXT, #name)

#define REFUSE(file, operation) \
    int fault = fault_of(file, operation); \
    if (fault != 0) { \
        errno = fault; \
        return -1; \
    }

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
