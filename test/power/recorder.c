/*
 * Records what a process does to the files of one folder, and what it sends over the network, in one order.
 *
 *   cc -shared -fPIC -O2 -o recorder.so recorder.c -ldl -lpthread
 *   RECORDED_FOLDER=/abs/folder RECORDED_LOG=/abs/log LD_PRELOAD=/abs/recorder.so node ...
 *
 * The log is a sequence of records: a header (struct head, little endian) and `size` bytes. test/power/recording.ts reads it.
 *
 * What the order means. Changes of files are made and recorded under one lock, so their order is exact. A sync is recorded twice, before the call and
 * after it succeeded: what was recorded before the first of the two is covered, and is durable from the second on. What is sent is recorded before the
 * call, so a client knows nothing that is not in the log, and everything that it may know at a place of the log was sent before that place.
 *
 * Not recorded: the -shm file of SQLite, which is mapped and made again from its log at every start. Any other shared writable mapping of a file of the
 * folder, and every call that changes one past this file, is recorded as UNSEEN, with which a recording is worthless.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum record { OPENED = 1, CREATED, WRITTEN, TRUNCATED, SYNC_BEGUN, SYNCED, RENAMED, LINKED, UNLINKED, FOLDER_MADE, SENT, SENT_SHORT, UNSEEN };

struct head {
  uint32_t size;
  uint32_t kind;
  uint32_t thread;
  uint32_t reserved;
  uint64_t file; /* an inode, or the number of a connection */
  uint64_t offset;
} __attribute__((packed));

/* What a descriptor is: not looked at yet, nothing of ours, a file or folder of the folder, a network socket. */
enum kind { UNKNOWN, OTHER, INSIDE, SOCKET };
#define DESCRIPTORS 65536
static volatile uint8_t kinds[DESCRIPTORS];
static volatile uint64_t identities[DESCRIPTORS];
static volatile uint64_t connections;

static char folder[PATH_MAX];
static size_t folder_length;
static int log_fd = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}
#define CACHED(name) \
  static __typeof__(&name) cached; \
  if (cached == NULL) cached = REAL(name)

/* A system call as itself, past `syscall` below. */
static long direct(long number, ...) {
  static long (*cached)(long, ...);
  if (cached == NULL) cached = (long (*)(long, ...))real("syscall");
  va_list rest;
  va_start(rest, number);
  long values[6];
  for (int i = 0; i < 6; i += 1) values[i] = va_arg(rest, long);
  va_end(rest);
  return cached(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

__attribute__((constructor)) static void begin(void) {
  const char *log = getenv("RECORDED_LOG"), *wanted = getenv("RECORDED_FOLDER");
  if (log == NULL || wanted == NULL || realpath(wanted, folder) == NULL) return;
  folder_length = strlen(folder);
  log_fd = (int)direct(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* Whoever changes a file holds the lock. */
static void record(enum record kind, uint64_t file, uint64_t offset, const struct iovec *parts, int count) {
  if (log_fd < 0) return;
  int saved = errno;
  size_t total = sizeof(struct head);
  for (int i = 0; i < count; i += 1) total += parts[i].iov_len;
  /* One call, so that a kill leaves whole records. */
  char *bytes = malloc(total), *end = bytes + sizeof(struct head);
  if (bytes == NULL) abort();
  *(struct head *)bytes = (struct head){(uint32_t)(total - sizeof(struct head)), kind, (uint32_t)direct(SYS_gettid), 0, file, offset};
  for (int i = 0; i < count; i += 1) {
    memcpy(end, parts[i].iov_base, parts[i].iov_len);
    end += parts[i].iov_len;
  }
  if (direct(SYS_write, log_fd, bytes, total) != (long)total) abort();
  free(bytes);
  errno = saved;
}

static void record_text(enum record kind, uint64_t file, uint64_t offset, const char *text) {
  struct iovec part = {(void *)text, strlen(text)};
  record(kind, file, offset, &part, 1);
}

/* Of an absolute path inside the folder the part behind it ("" for the folder itself); NULL for any other. */
static const char *inside(const char *path) {
  if (folder_length == 0 || strncmp(path, folder, folder_length) != 0) return NULL;
  if (path[folder_length] == '\0') return "";
  return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

/* The same for a path as a caller gives it, which need not exist yet. */
static const char *inside_at(int at, const char *path, char *out) {
  if (folder_length == 0 || path == NULL) return NULL;
  char parent[PATH_MAX], resolved[PATH_MAX], joined[PATH_MAX * 2];
  if (path[0] == '/') snprintf(joined, sizeof joined, "%s", path);
  else if (at == AT_FDCWD) {
    if (getcwd(parent, sizeof parent) == NULL) return NULL;
    snprintf(joined, sizeof joined, "%s/%s", parent, path);
  } else {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", at);
    ssize_t length = readlink(link, parent, sizeof parent - 1);
    if (length < 0) return NULL;
    parent[length] = '\0';
    snprintf(joined, sizeof joined, "%s/%s", parent, path);
  }
  char *slash = strrchr(joined, '/');
  if (slash == NULL || slash == joined) return NULL;
  *slash = '\0';
  if (realpath(joined, resolved) == NULL) return NULL;
  snprintf(out, PATH_MAX, "%.2000s/%.2000s", resolved, slash + 1);
  return inside(out);
}

static int has_suffix(const char *text, const char *suffix) {
  size_t length = strlen(text), wanted = strlen(suffix);
  return length >= wanted && strcmp(text + length - wanted, suffix) == 0;
}

/* -shm is made again at every start: what it holds is nobody's. */
static int is_recorded(const char *name) { return !has_suffix(name, "-shm"); }

/* The name behind a descriptor, when it is one of the folder that is recorded. */
static const char *name_of(int fd, char *out) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, out, PATH_MAX - 1);
  if (length < 0) return NULL;
  out[length] = '\0';
  const char *name = inside(out);
  return name != NULL && is_recorded(name) ? name : NULL;
}

static enum kind kind_of(int fd) {
  if (log_fd < 0 || fd < 0 || fd >= DESCRIPTORS) return OTHER;
  if (kinds[fd] != UNKNOWN) return kinds[fd];
  int saved = errno;
  struct stat about;
  enum kind kind = OTHER;
  if (fstat(fd, &about) == 0) {
    char path[PATH_MAX];
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (S_ISSOCK(about.st_mode)) {
      if (getsockname(fd, (struct sockaddr *)&address, &length) == 0 && (address.ss_family == AF_INET || address.ss_family == AF_INET6)) {
        kind = SOCKET;
        identities[fd] = __sync_add_and_fetch(&connections, 1);
      }
    } else if ((S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)) && name_of(fd, path) != NULL) {
      kind = INSIDE;
      identities[fd] = about.st_ino;
    }
  }
  kinds[fd] = kind;
  errno = saved;
  return kind;
}

static void lock_files(void) { pthread_mutex_lock(&lock); }
static void unlock_files(void) { pthread_mutex_unlock(&lock); }

/* Opening */

static int after_open(int fd, int flags, int existed) {
  if (fd < 0 || log_fd < 0 || fd >= DESCRIPTORS) return fd;
  kinds[fd] = UNKNOWN;
  if (kind_of(fd) != INSIDE) return fd;
  char path[PATH_MAX];
  const char *name = name_of(fd, path);
  if (name == NULL) return fd;
  record_text((flags & O_CREAT) && !existed ? CREATED : OPENED, identities[fd], 0, name);
  if ((flags & O_TRUNC) && existed) record(TRUNCATED, identities[fd], 0, NULL, 0);
  return fd;
}

static int open_recorded(int at, const char *path, int flags, mode_t mode) {
  if (log_fd < 0 || !(flags & O_CREAT)) {
    int fd = (int)direct(SYS_openat, at, path, flags, mode);
    if (fd < 0 || log_fd < 0) return fd;
    lock_files();
    after_open(fd, flags, 1);
    unlock_files();
    return fd;
  }
  lock_files();
  int existed = faccessat(at, path, F_OK, 0) == 0;
  int fd = (int)direct(SYS_openat, at, path, flags, mode);
  after_open(fd, flags, existed);
  unlock_files();
  return fd;
}

#define MODE(flags, last) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, last); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }
int open(const char *path, int flags, ...) { MODE(flags, flags) return open_recorded(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags, flags) return open_recorded(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags, flags) return open_recorded(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags, flags) return open_recorded(at, path, flags | O_LARGEFILE, mode); }
int creat(const char *path, mode_t mode) { return open_recorded(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

/* Before the call: the number may be another file's as soon as it returns. */
static void forget(int fd) {
  if (fd >= 0 && fd < DESCRIPTORS) kinds[fd] = UNKNOWN;
}

int close(int fd) {
  CACHED(close);
  forget(fd);
  return cached(fd);
}
int dup3(int from, int to, int flags) {
  CACHED(dup3);
  forget(to);
  return cached(from, to, flags);
}

/* Writing: `call` is the real one; `at` is the offset, or -1 for where the descriptor stands. */

static size_t lengths(const struct iovec *parts, int count) {
  size_t total = 0;
  for (int i = 0; i < count; i += 1) total += parts[i].iov_len;
  return total;
}

/* What was written of the parts. */
static int cut(const struct iovec *parts, int count, size_t written, struct iovec *out) {
  int used = 0;
  for (; used < count && written > 0; used += 1) {
    out[used] = parts[used];
    if (out[used].iov_len > written) out[used].iov_len = written;
    written -= out[used].iov_len;
  }
  return used;
}

#define SENDING(fd, parts, count, call) \
  do { \
    uint64_t connection = identities[fd]; \
    lock_files(); \
    record(SENT, connection, 0, parts, count); \
    unlock_files(); \
    ssize_t done = (call); \
    if (done < 0 || (size_t)done < lengths(parts, count)) { \
      int saved = errno; \
      lock_files(); \
      record(SENT_SHORT, connection, done < 0 ? 0 : (uint64_t)done, NULL, 0); \
      unlock_files(); \
      errno = saved; \
    } \
    return done; \
  } while (0)

#define WRITING(fd, at, parts, count, call) \
  do { \
    lock_files(); \
    off_t place = (at); \
    if (place < 0) { \
      int flags = fcntl(fd, F_GETFL); \
      place = lseek(fd, 0, (flags & O_APPEND) ? SEEK_END : SEEK_CUR); \
    } \
    ssize_t done = (call); \
    if (done > 0) { \
      struct iovec kept[IOV_MAX]; \
      record(WRITTEN, identities[fd], (uint64_t)place, kept, cut(parts, count, (size_t)done, kept)); \
    } \
    unlock_files(); \
    return done; \
  } while (0)

#define EITHER(fd, at, parts, count, call) \
  switch (kind_of(fd)) { \
    case SOCKET: SENDING(fd, parts, count, call); \
    case INSIDE: WRITING(fd, at, parts, count, call); \
    default: return (call); \
  }

ssize_t write(int fd, const void *bytes, size_t size) {
  CACHED(write);
  struct iovec part = {(void *)bytes, size};
  EITHER(fd, -1, &part, 1, cached(fd, bytes, size));
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
  CACHED(pwrite);
  struct iovec part = {(void *)bytes, size};
  EITHER(fd, at, &part, 1, cached(fd, bytes, size, at));
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  CACHED(pwrite64);
  struct iovec part = {(void *)bytes, size};
  EITHER(fd, at, &part, 1, cached(fd, bytes, size, at));
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  CACHED(writev);
  EITHER(fd, -1, parts, count, cached(fd, parts, count));
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  CACHED(pwritev);
  EITHER(fd, at, parts, count, cached(fd, parts, count, at));
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
  CACHED(pwritev64);
  EITHER(fd, at, parts, count, cached(fd, parts, count, at));
}
ssize_t send(int fd, const void *bytes, size_t size, int flags) {
  CACHED(send);
  struct iovec part = {(void *)bytes, size};
  if (kind_of(fd) == SOCKET) SENDING(fd, &part, 1, cached(fd, bytes, size, flags));
  return cached(fd, bytes, size, flags);
}
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  CACHED(sendmsg);
  if (kind_of(fd) == SOCKET) SENDING(fd, message->msg_iov, (int)message->msg_iovlen, cached(fd, message, flags));
  return cached(fd, message, flags);
}

static int truncate_recorded(int fd, off64_t size) {
  int is_ours = kind_of(fd) == INSIDE;
  if (is_ours) lock_files();
  int result = (int)direct(SYS_ftruncate, fd, size);
  if (is_ours) {
    if (result == 0) record(TRUNCATED, identities[fd], (uint64_t)size, NULL, 0);
    unlock_files();
  }
  return result;
}
int ftruncate(int fd, off_t size) { return truncate_recorded(fd, size); }
int ftruncate64(int fd, off64_t size) { return truncate_recorded(fd, size); }

/* Syncing */

static int sync_recorded(int fd, long number) {
  int is_ours = kind_of(fd) == INSIDE;
  if (is_ours) {
    lock_files();
    record(SYNC_BEGUN, identities[fd], (uint64_t)fd, NULL, 0);
    unlock_files();
  }
  int result = (int)direct(number, fd);
  if (is_ours && result == 0) {
    lock_files();
    record(SYNCED, identities[fd], (uint64_t)fd, NULL, 0);
    unlock_files();
  }
  return result;
}
int fsync(int fd) { return sync_recorded(fd, SYS_fsync); }
int fdatasync(int fd) { return sync_recorded(fd, SYS_fdatasync); }

/* Names */

static int two_names(enum record kind, int from_at, const char *from, int to_at, const char *to, long number, unsigned flags) {
  char first[PATH_MAX], second[PATH_MAX], both[PATH_MAX * 2];
  const char *source = inside_at(from_at, from, first), *target = inside_at(to_at, to, second);
  lock_files();
  int result = (int)direct(number, from_at, from, to_at, to, flags);
  if (result == 0 && (source != NULL || target != NULL)) {
    snprintf(both, sizeof both, "%s\n%s", source == NULL ? "" : source, target == NULL ? "" : target);
    record_text(source == NULL || target == NULL ? UNSEEN : kind, 0, 0, both);
  }
  unlock_files();
  return result;
}
int rename(const char *from, const char *to) { return two_names(RENAMED, AT_FDCWD, from, AT_FDCWD, to, SYS_renameat2, 0); }
int renameat(int from_at, const char *from, int to_at, const char *to) { return two_names(RENAMED, from_at, from, to_at, to, SYS_renameat2, 0); }
int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) { return two_names(RENAMED, from_at, from, to_at, to, SYS_renameat2, flags); }
int link(const char *from, const char *to) { return two_names(LINKED, AT_FDCWD, from, AT_FDCWD, to, SYS_linkat, 0); }
int linkat(int from_at, const char *from, int to_at, const char *to, int flags) { return two_names(LINKED, from_at, from, to_at, to, SYS_linkat, (unsigned)flags); }

static int unlink_recorded(int at, const char *path, int flags) {
  char resolved[PATH_MAX];
  const char *name = inside_at(at, path, resolved);
  lock_files();
  int result = (int)direct(SYS_unlinkat, at, path, flags);
  if (result == 0 && name != NULL && is_recorded(name)) record_text(UNLINKED, 0, 0, name);
  unlock_files();
  return result;
}
int unlink(const char *path) { return unlink_recorded(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return unlink_recorded(at, path, flags); }
int rmdir(const char *path) { return unlink_recorded(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  int result = unlink_recorded(AT_FDCWD, path, 0);
  return result != 0 && errno == EISDIR ? unlink_recorded(AT_FDCWD, path, AT_REMOVEDIR) : result;
}

int mkdir(const char *path, mode_t mode) {
  char resolved[PATH_MAX];
  lock_files();
  int result = (int)direct(SYS_mkdirat, AT_FDCWD, path, mode);
  const char *name = result == 0 ? inside_at(AT_FDCWD, path, resolved) : NULL;
  if (name != NULL) record_text(FOLDER_MADE, 0, 0, name);
  unlock_files();
  return result;
}

/* What would change a file past all this. */

void *mmap64(void *address, size_t length, int protection, int flags, int fd, off64_t offset) {
  if (fd >= 0 && (flags & MAP_SHARED) && (protection & PROT_WRITE) && kind_of(fd) == INSIDE) {
    lock_files();
    record_text(UNSEEN, identities[fd], 0, "mmap");
    unlock_files();
  }
  return (void *)direct(SYS_mmap, address, length, protection, flags, fd, offset);
}
void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) { return mmap64(address, length, protection, flags, fd, offset); }

#define UNSEEN_CALL(fd, name) \
  if (kind_of(fd) == INSIDE) { \
    lock_files(); \
    record_text(UNSEEN, identities[fd], 0, name); \
    unlock_files(); \
  }
/* libuv makes some calls without the C library's functions. */
long syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  long values[6];
  for (int i = 0; i < 6; i += 1) values[i] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_close) forget((int)values[0]);
  if (number == SYS_copy_file_range) { UNSEEN_CALL((int)values[2], "copy_file_range") }
  if (number == SYS_pwritev || number == SYS_pwritev2 || number == SYS_writev || number == SYS_ftruncate) { UNSEEN_CALL((int)values[0], "a system call") }
  return direct(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}
ssize_t copy_file_range(int in, off64_t *in_at, int out, off64_t *out_at, size_t size, unsigned flags) {
  UNSEEN_CALL(out, "copy_file_range")
  return direct(SYS_copy_file_range, in, in_at, out, out_at, size, flags);
}
ssize_t sendfile64(int out, int in, off64_t *at, size_t size) {
  UNSEEN_CALL(out, "sendfile")
  return direct(SYS_sendfile, out, in, at, size);
}
ssize_t sendfile(int out, int in, off_t *at, size_t size) { return sendfile64(out, in, at, size); }
int truncate(const char *path, off_t size) {
  char resolved[PATH_MAX];
  if (inside_at(AT_FDCWD, path, resolved) != NULL) {
    lock_files();
    record_text(UNSEEN, 0, 0, "truncate");
    unlock_files();
  }
  return (int)direct(SYS_truncate, path, size);
}
