/* web-serial-shim.c -- LD_PRELOAD library that gives a Chromium process virtual
 * USB serial ports, so that its real Web Serial implementation (udev watcher,
 * SerialIoHandlerPosix, mojo data pipes, Blink streams) runs against the test
 * program instead of hardware.
 *
 *   cc -O2 -Wall -Wextra -shared -fPIC -o libwebserial.so web-serial-shim.c -ldl -lpthread
 *
 * Faked:   libudev (enumeration + hot-plug monitor), /proc/tty/drivers,
 *          open("/dev/ttyXXX"), modem lines and break.
 * Real:    the tty. Every open() makes a new pseudo-terminal, and Chromium
 *          gets its slave. termios, line discipline, PARMRK escaping,
 *          O_NONBLOCK, buffer limits, TIOCEXCL, tcflush and hang-up are
 *          the kernel's own.
 *
 * The device emulator listens on the unix socket named by $WEBSERIAL_CTL.  The
 * first udev call of the browser process connects to it.  Protocol: lines
 * `VERB NAME key=value ...`, values %XX-escaped; see README.md.  Each open()
 * makes one more connection, to the port's data socket: raw bytes.
 * Without $WEBSERIAL_CTL the library shows no devices at all.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <asm/termbits.h> /* struct termios2; <termios.h> must not be included */

extern int grantpt(int), unlockpt(int), ptsname_r(int, char *, size_t);

#define MAXPORTS 32
#define EXPORT __attribute__((visibility("default")))

struct port {
  char name[64];             /* ttyUSB0 */
  char vid[16], pid[16], serial[128], product[256], data[108];
  int major, minor;
  int present, drop, pace;   /* overrun=drop, pace=1 */
  int msr;                   /* CTS/DSR/CD/RI, set by the emulator */
  int mcr;                   /* DTR/RTS, set by Chromium */
  /* state of the single open */
  int open, slave, master, sock, wake;
  volatile double rate;      /* characters per second at the current baud rate */
  volatile int parmrk;       /* Chromium has set PARMRK: the pump does the marking */
  volatile int inject;       /* fault to insert into the stream: 1 break, 2 parity error */
  dev_t rdev;                /* device number of the slave, to recognise its descriptor */
  unsigned id;
  volatile int stop;
  volatile unsigned drain_want, drain_done; /* tcdrain() waits for the pump */
  pthread_t pump;
};

static struct port ports[MAXPORTS];
static unsigned open_ids;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;     /* ports, monitors */
static pthread_mutex_t ctl_mu = PTHREAD_MUTEX_INITIALIZER; /* writes to ctl */
static pthread_cond_t ready_cv = PTHREAD_COND_INITIALIZER;
static pthread_cond_t drain_cv = PTHREAD_COND_INITIALIZER;
static int ctl_fd = -1, ctl_started, ctl_ready, debug;

static int (*real_open)(const char *, int, ...);
static int (*real_open64)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...);
static int (*real_openat64)(int, const char *, int, ...);
static FILE *(*real_fopen)(const char *, const char *);
static FILE *(*real_fopen64)(const char *, const char *);
static int (*real_ioctl)(int, unsigned long, ...);
static int (*real_tcflush)(int, int);
static int (*real_tcdrain)(int);

static void *next_sym(void *slot, const char *name) { /* other constructors may call this library before init() */
  void **p = slot;
  if (!*p) *p = dlsym(RTLD_NEXT, name);
  return *p;
}
#define REAL(f) ((__typeof__(real_##f))next_sym(&real_##f, #f))

__attribute__((constructor)) static void init(void) {
  REAL(open); REAL(open64); REAL(openat); REAL(openat64); REAL(fopen);
  REAL(fopen64); REAL(ioctl); REAL(tcflush); REAL(tcdrain);
  debug = getenv("WEBSERIAL_DEBUG") != NULL;
}

#define DBG(...) do { if (debug) { fprintf(stderr, "[webserial] " __VA_ARGS__); fputc('\n', stderr); } } while (0)

/* ---------------------------------------------------------------- control */

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void tell(const char *fmt, ...) {
  char line[512];
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(line, sizeof line - 32, fmt, ap);
  va_end(ap);
  DBG("> %s", line);
  n += snprintf(line + n, 32, " t=%.3f\n", now_ms());
  pthread_mutex_lock(&ctl_mu);
  for (int off = 0; ctl_fd >= 0 && off < n;) {
    ssize_t w = send(ctl_fd, line + off, n - off, MSG_NOSIGNAL);
    if (w < 0 && errno == EINTR) continue;
    if (w <= 0) break;
    off += w;
  }
  pthread_mutex_unlock(&ctl_mu);
}

static int connect_unix(const char *path) {
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof a.sun_path) { errno = ENAMETOOLONG; return -1; }
  strcpy(a.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) < 0) {
    int e = errno;
    close(fd);
    errno = e;
    return -1;
  }
  return fd;
}

static void unescape(char *s) {
  char *o = s;
  for (; *s; s++) {
    unsigned v;
    if (s[0] == '%' && s[1] && s[2] && sscanf(s + 1, "%2x", &v) == 1) {
      *o++ = (char)v;
      s += 2;
    } else
      *o++ = *s;
  }
  *o = 0;
}

static struct port *find_port(const char *name) {
  for (int i = 0; i < MAXPORTS; i++)
    if (ports[i].present && !strcmp(ports[i].name, name)) return &ports[i];
  return NULL;
}

static void notify_monitors(const char *action, struct port *p);

static void wake_pump(struct port *p) {
  uint64_t one = 1;
  if (write(p->wake, &one, 8) < 0) {}
}

static void do_unplug(struct port *p) { /* mu held; released while joining */
  pthread_t pump = p->pump;
  int was_open = p->open;
  p->present = 0;
  if (was_open) {
    p->stop = 1;
    wake_pump(p);
    pthread_mutex_unlock(&mu);
    pthread_join(pump, NULL); /* closes the master: the kernel hangs up the slave */
    pthread_mutex_lock(&mu);
  }
  notify_monitors("remove", p);
}

#define COPY(dst, src) snprintf(dst, sizeof dst, "%s", src)

static void handle_line(char *line) {
  char *save = NULL, *verb = strtok_r(line, " ", &save);
  if (!verb) return;
  if (!strcmp(verb, "ready")) {
    pthread_mutex_lock(&mu);
    ctl_ready = 1;
    pthread_cond_broadcast(&ready_cv);
    pthread_mutex_unlock(&mu);
    return;
  }
  char *name = strtok_r(NULL, " ", &save), *kv;
  if (!name) return;
  pthread_mutex_lock(&mu);
  struct port *p = find_port(name);
  if (!strcmp(verb, "plug") && !p) {
    for (int i = 0; i < MAXPORTS && !p; i++)
      if (!ports[i].present && !ports[i].open) p = &ports[i];
    if (p) {
      memset(p, 0, sizeof *p);
      COPY(p->name, name);
      p->major = strncmp(name, "ttyACM", 6) ? 188 : 166;
      size_t d = strcspn(name, "0123456789");
      p->minor = atoi(name + d);
      p->msr = TIOCM_CTS | TIOCM_DSR | TIOCM_CAR;
      while ((kv = strtok_r(NULL, " ", &save))) {
        char *v = strchr(kv, '=');
        if (!v) continue;
        *v++ = 0;
        unescape(v);
        if (!strcmp(kv, "vid")) COPY(p->vid, v);
        else if (!strcmp(kv, "pid")) COPY(p->pid, v);
        else if (!strcmp(kv, "serial")) COPY(p->serial, v);
        else if (!strcmp(kv, "product")) COPY(p->product, v);
        else if (!strcmp(kv, "data")) COPY(p->data, v);
        else if (!strcmp(kv, "overrun")) p->drop = !strcmp(v, "drop");
        else if (!strcmp(kv, "pace")) p->pace = *v == '1';
      }
      p->present = 1;
      notify_monitors("add", p);
    }
  } else if (!strcmp(verb, "unplug") && p) {
    do_unplug(p);
  } else if (!strcmp(verb, "inject") && p && p->open) {
    kv = strtok_r(NULL, " ", &save);
    p->inject = kv && !strcmp(kv, "parity") ? 2 : 1;
    wake_pump(p);
  } else if (!strcmp(verb, "lines") && p) {
    while ((kv = strtok_r(NULL, " ", &save))) {
      char *v = strchr(kv, '=');
      if (!v) continue;
      *v++ = 0;
      int bit = !strcmp(kv, "cts") ? TIOCM_CTS : !strcmp(kv, "dsr") ? TIOCM_DSR
              : !strcmp(kv, "dcd") ? TIOCM_CAR : !strcmp(kv, "ri") ? TIOCM_RI : 0;
      p->msr = *v == '1' ? p->msr | bit : p->msr & ~bit;
    }
  }
  pthread_mutex_unlock(&mu);
}

static void *ctl_thread(void *arg) {
  (void)arg;
  char buf[8192];
  size_t have = 0;
  for (;;) {
    ssize_t n = read(ctl_fd, buf + have, sizeof buf - 1 - have);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    have += n;
    char *start = buf, *nl;
    buf[have] = 0;
    while ((nl = memchr(start, '\n', buf + have - start))) {
      *nl = 0;
      DBG("< %s", start);
      handle_line(start);
      start = nl + 1;
    }
    have -= start - buf;
    memmove(buf, start, have);
    if (have == sizeof buf - 1) have = 0;
  }
  DBG("control connection lost: all ports unplugged");
  pthread_mutex_lock(&mu);
  for (int i = 0; i < MAXPORTS; i++)
    if (ports[i].present) do_unplug(&ports[i]);
  ctl_ready = 1;
  pthread_cond_broadcast(&ready_cv);
  pthread_mutex_unlock(&mu);
  return NULL;
}

static void ctl_start(void) { /* first udev use in this process */
  pthread_mutex_lock(&mu);
  if (!ctl_started) {
    ctl_started = 1;
    const char *path = getenv("WEBSERIAL_CTL");
    ctl_fd = path ? connect_unix(path) : -1;
    if (ctl_fd < 0) {
      if (path) fprintf(stderr, "[webserial] %s: %s\n", path, strerror(errno));
      ctl_ready = 1;
    } else {
      pthread_t t;
      tell("hello - pid=%d", (int)getpid());
      pthread_create(&t, NULL, ctl_thread, NULL);
      pthread_detach(t);
    }
  }
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 3;
  while (!ctl_ready && pthread_cond_timedwait(&ready_cv, &mu, &until) == 0) {}
  pthread_mutex_unlock(&mu);
}

/* ------------------------------------------------------------- the tty */

/* Escapes 0xff like a tty with PARMRK.  The pty's own PARMRK is off, because a
 * break or a parity error cannot be put into a pty. */
static size_t mark(const char *src, size_t n, char *dst) {
  size_t o = 0;
  for (size_t i = 0; i < n; i++) {
    dst[o++] = src[i];
    if (src[i] == '\377') dst[o++] = '\377';
  }
  return o;
}

struct bucket { double chars, last; };
static size_t budget(struct bucket *b, double rate, size_t most) {
  double t = now_ms() / 1e3, cap = rate * 0.02 + 16; /* at most 20 ms at once */
  b->chars += (t - b->last) * rate;
  if (b->chars > cap) b->chars = cap;
  b->last = t;
  return b->chars < 1 ? 0 : b->chars < most ? (size_t)b->chars : most;
}

static void *pump_thread(void *arg) {
  struct port *p = arg;
  struct bucket bin = {0, now_ms() / 1e3}, bout = bin;
  enum { SZ = 65536 };
  char *raw = malloc(SZ), *in = malloc(2 * SZ), *out = malloc(SZ);
  size_t in_n = 0, in_o = 0, out_n = 0, out_o = 0; /* in: device->host */
  int sock_eof = 0, hup = 0, dry = 0, injected = 0;
  unsigned long long lost = 0;
  char name[64];
  COPY(name, p->name);
  unsigned id = p->id;
  while (!p->stop) {
    struct pollfd f[3] = {{p->master, 0, 0}, {p->sock, 0, 0}, {p->wake, POLLIN, 0}};
    double rate = p->pace ? p->rate : 0;
    size_t in_max = rate > 0 ? budget(&bin, rate, SZ) : SZ;
    size_t out_max = rate > 0 ? budget(&bout, rate, SZ) : SZ;
    if (out_n) f[1].events |= POLLOUT; else if (out_max) f[0].events |= POLLIN;
    if (in_n) f[0].events |= POLLOUT;
    else if (!sock_eof && in_max) f[1].events |= POLLIN;
    if (sock_eof) f[1].fd = -1;
    unsigned drain = p->drain_want;
    int busy = (p->inject && !in_n) || (drain != p->drain_done && !out_n);
    if (poll(f, 3, !in_max || !out_max ? 1 : busy ? 0 : -1) < 0 && errno != EINTR) break;
    if (p->stop) break;
    if (f[2].revents) { /* the state changed: start over */
      uint64_t n;
      if (read(p->wake, &n, 8) < 0) {}
      continue;
    }
    int empty = 0;
    if (f[0].revents & POLLHUP) out_max = SZ;
    if (out_max && (f[0].revents & (POLLIN | POLLHUP | POLLERR) || drain != p->drain_done) && out_n == 0) {
      ssize_t n = read(p->master, out, out_max);
      if (n > 0) { out_n = n; out_o = 0; bout.chars -= n; }
      else if (n < 0 && errno == EAGAIN) empty = 1; /* EAGAIN: the kernel has flushed its work queue */
      else if (n == 0 || (errno != EAGAIN && errno != EINTR)) hup = 1;
    }
    if (out_n) {
      ssize_t n = send(p->sock, out + out_o, out_n, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n > 0) { out_o += n; out_n -= n; tell("sent %s id=%u n=%zd", name, id, n); }
      else if (n < 0 && errno != EAGAIN && errno != EINTR) { out_n = 0; sock_eof = 1; }
    }
    if (drain != p->drain_done && (empty || sock_eof)) {
      pthread_mutex_lock(&mu);
      p->drain_done = drain;
      pthread_cond_broadcast(&drain_cv);
      pthread_mutex_unlock(&mu);
    }
    if (hup && out_n == 0) break; /* Chromium has closed the slave, and all bytes are passed on */
    dry = 0;
    if (in_n == 0 && !sock_eof && in_max) {
      ssize_t n = recv(p->sock, raw, in_max, MSG_DONTWAIT);
      if (n > 0) {
        bin.chars -= n;
        in_o = 0;
        if (p->parmrk) in_n = mark(raw, n, in);
        else memcpy(in, raw, in_n = n);
        injected = 0;
      } else if (n == 0) sock_eof = 1;
      else if (errno == EAGAIN) dry = 1;
    }
    if (p->inject && in_n == 0 && (dry || sock_eof)) { /* after all data sent before it */
      memcpy(in, p->inject == 2 ? "\377\0?" : "\377\0\0", in_n = 3);
      in_o = 0;
      injected = 1;
      p->inject = 0;
    }
    if (in_n && !hup) {
      ssize_t n = write(p->master, in + in_o, in_n);
      if (n > 0) { in_o += n; in_n -= n; }
      else if (n < 0 && errno != EAGAIN && errno != EINTR) in_n = 0;
      if (in_n && p->drop && !injected) { /* drops bytes like a UART bridge with a full FIFO */
        size_t ff = 0;
        while (p->parmrk && ff < in_o && in[in_o - 1 - ff] == '\377') ff++;
        size_t keep = ff & 1, n_lost = 0; /* never splits an escaped pair */
        for (size_t i = in_o + keep; i < in_o + in_n; i++, n_lost++)
          if (p->parmrk && in[i] == '\377') i++;
        lost += n_lost;
        tell("overrun %s id=%u lost=%zu total=%llu", name, id, n_lost, lost);
        in_n = keep;
        injected = keep; /* protects the kept byte until it is written */
      }
    }
  }
  pthread_mutex_lock(&mu);
  int unplugged = p->stop;
  close(p->master);
  close(p->sock);
  close(p->wake);
  /* reported before the next open is possible */
  if (!unplugged) tell("modem %s id=%u dtr=0 rts=0", name, id); /* HUPCL */
  tell("close %s id=%u reason=%s", name, id, unplugged ? "unplug" : "close");
  p->open = 0;
  p->mcr = 0;
  p->drain_done = p->drain_want;
  pthread_cond_broadcast(&drain_cv);
  if (!unplugged) pthread_detach(pthread_self());
  pthread_mutex_unlock(&mu);
  free(raw);
  free(in);
  free(out);
  return NULL;
}

/* True if Chromium has closed the slave and the pump has not noticed yet: a real
 * tty would be free by now.  The hang-up is late while a process that Chromium has
 * just forked still has a copy of the slave, until its exec.  Needs mu. */
static int closing(struct port *p) {
  struct stat st;
  if (fstat(p->slave, &st) || !S_ISCHR(st.st_mode) || st.st_rdev != p->rdev) return 1;
  struct pollfd f = {p->master, 0, 0};
  return poll(&f, 1, 0) > 0 && f.revents & POLLHUP;
}

/* Returns -2 for a path that is not a virtual port. */
static int open_port(const char *path, int flags) {
  if (!ctl_started || strncmp(path, "/dev/tty", 8)) return -2;
  pthread_mutex_lock(&mu);
  struct port *p = find_port(path + 5);
  int fd = -2, e = 0;
  if (!p) goto out;
  fd = -1;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 20; /* the program behind the port may be slow to take the last bytes */
  while (p->open && closing(p) && pthread_cond_timedwait(&drain_cv, &mu, &until) == 0) {}
  if (p->open) { e = EBUSY; goto out; } /* the error of TIOCEXCL for a normal user */
  if (find_port(path + 5) != p) { e = ENOENT; goto out; } /* unplugged while waiting */
  int master = REAL(open64)("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  char pts[64];
  if (master < 0 || grantpt(master) || unlockpt(master) ||
      ptsname_r(master, pts, sizeof pts) ||
      (fd = REAL(open64)(pts, flags | O_NOCTTY | O_CLOEXEC)) < 0) {
    e = errno ? errno : EIO;
    if (master >= 0) close(master);
    fd = -1;
    goto out;
  }
  struct termios2 t;
  if (!REAL(ioctl)(fd, TCGETS2, &t)) { /* no echo until Chromium sets it up */
    t.c_lflag &= ~(ECHO | ECHOE | ECHOK | ECHONL | ICANON);
    REAL(ioctl)(fd, TCSETS2, &t);
  }
  int sock = connect_unix(p->data);
  if (sock < 0) {
    e = EIO;
    close(fd);
    close(master);
    fd = -1;
    goto out;
  }
  struct stat st;
  fstat(fd, &st);
  p->rdev = st.st_rdev;
  p->slave = fd;
  p->master = master;
  p->sock = sock;
  p->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  p->id = ++open_ids;
  p->stop = p->inject = p->parmrk = 0;
  p->open = 1;
  p->mcr = TIOCM_DTR | TIOCM_RTS; /* Linux raises both on open */
  tell("open %s id=%u pts=%s", p->name, p->id, pts);
  tell("modem %s id=%u dtr=1 rts=1", p->name, p->id);
  pthread_create(&p->pump, NULL, pump_thread, p);
out:
  pthread_mutex_unlock(&mu);
  if (e) errno = e;
  return fd;
}

static struct port *port_of_fd(int fd) { /* mu held */
  for (int i = 0; i < MAXPORTS; i++) {
    struct port *p = &ports[i];
    struct stat st;
    if (p->open && p->slave == fd && !fstat(fd, &st) && S_ISCHR(st.st_mode) &&
        st.st_rdev == p->rdev)
      return p;
  }
  return NULL;
}

static int drivers_fd(const char *path) { /* returns -2 for another path */
  if (!ctl_started || strcmp(path, "/proc/tty/drivers")) return -2;
  static const char text[] =
      "/dev/tty             /dev/tty        5       0 system:/dev/tty\n"
      "usbserial            /dev/ttyUSB   188 0-511 serial\n"
      "acm                  /dev/ttyACM   166 0-255 serial\n"
      "pty_slave            /dev/pts      136 0-1048575 pty:slave\n";
  int fd = memfd_create("tty-drivers", MFD_CLOEXEC);
  if (fd >= 0 && (write(fd, text, sizeof text - 1) < 0 || lseek(fd, 0, SEEK_SET))) {}
  return fd;
}

#define OPEN_BODY(call)                                              \
  mode_t mode = 0;                                                   \
  if (flags & (O_CREAT | __O_TMPFILE)) {                             \
    va_list ap; va_start(ap, flags); mode = va_arg(ap, mode_t); va_end(ap); \
  }                                                                  \
  if (path[0] == '/') {                                              \
    int fd = drivers_fd(path);                                       \
    if (fd == -2) fd = open_port(path, flags);                       \
    if (fd != -2) return fd;                                         \
  }                                                                  \
  return call

EXPORT int open(const char *path, int flags, ...) { OPEN_BODY(REAL(open)(path, flags, mode)); }
EXPORT int open64(const char *path, int flags, ...) { OPEN_BODY(REAL(open64)(path, flags, mode)); }
EXPORT int openat(int at, const char *path, int flags, ...) { OPEN_BODY(REAL(openat)(at, path, flags, mode)); }
EXPORT int openat64(int at, const char *path, int flags, ...) { OPEN_BODY(REAL(openat64)(at, path, flags, mode)); }

EXPORT FILE *fopen(const char *path, const char *mode) {
  int fd = drivers_fd(path);
  return fd >= 0 ? fdopen(fd, "r") : REAL(fopen)(path, mode);
}
EXPORT FILE *fopen64(const char *path, const char *mode) {
  int fd = drivers_fd(path);
  return fd >= 0 ? fdopen(fd, "r") : REAL(fopen64)(path, mode);
}

EXPORT int ioctl(int fd, unsigned long req, ...) {
  va_list ap;
  va_start(ap, req);
  void *arg = va_arg(ap, void *);
  va_end(ap);
  switch (req) {
    case TIOCMGET: case TIOCMSET: case TIOCMBIS: case TIOCMBIC:
    case TIOCSBRK: case TIOCCBRK: case TCSETS2: break;
    default: return REAL(ioctl)(fd, req, arg);
  }
  pthread_mutex_lock(&mu);
  struct port *p = ctl_started ? port_of_fd(fd) : NULL;
  if (!p) {
    pthread_mutex_unlock(&mu);
    return REAL(ioctl)(fd, req, arg);
  }
  int rc = 0, old = p->mcr;
  const int host = TIOCM_DTR | TIOCM_RTS;
  switch (req) {
    case TIOCMGET: *(int *)arg = p->mcr | p->msr; break;
    case TIOCMSET: p->mcr = *(int *)arg & host; break;
    case TIOCMBIS: p->mcr |= *(int *)arg & host; break;
    case TIOCMBIC: p->mcr &= ~(*(int *)arg & host); break;
    case TIOCSBRK: case TIOCCBRK:
      tell("break %s id=%u on=%d", p->name, p->id, req == TIOCSBRK);
      break;
    case TCSETS2: {
      struct termios2 want = *(struct termios2 *)arg, t = want;
      p->parmrk = !!(want.c_iflag & PARMRK);
      t.c_iflag &= ~(PARMRK | INPCK);
      rc = REAL(ioctl)(fd, req, &t);
      if (rc == 0 && REAL(ioctl)(fd, TCGETS2, &t) == 0) {
        /* a pty forces CS8 and no parity: report the requested values */
        tcflag_t c = want.c_cflag;
        p->rate = (double)t.c_ospeed /
                  (10 - ((c & CSIZE) == CS7) + !!(c & PARENB) + !!(c & CSTOPB));
        wake_pump(p);
        tell("termios %s id=%u baud=%u bits=%d parity=%s stop=%d rtscts=%d", p->name,
             p->id, t.c_ospeed, (c & CSIZE) == CS7 ? 7 : 8,
             !(c & PARENB) ? "none" : c & PARODD ? "odd" : "even",
             c & CSTOPB ? 2 : 1, !!(c & CRTSCTS));
      }
      break;
    }
  }
  if (p->mcr != old)
    tell("modem %s id=%u dtr=%d rts=%d", p->name, p->id, !!(p->mcr & TIOCM_DTR),
         !!(p->mcr & TIOCM_RTS));
  pthread_mutex_unlock(&mu);
  return rc;
}

EXPORT int tcflush(int fd, int q) {
  pthread_mutex_lock(&mu);
  struct port *p = ctl_started ? port_of_fd(fd) : NULL;
  if (p) tell("flush %s id=%u queue=%s", p->name, p->id,
              q == TCIFLUSH ? "in" : q == TCOFLUSH ? "out" : "both");
  pthread_mutex_unlock(&mu);
  return REAL(tcflush)(fd, q);
}

EXPORT int tcdrain(int fd) { /* a pty's own tcdrain() does not wait for the reader */
  pthread_mutex_lock(&mu);
  struct port *p = ctl_started ? port_of_fd(fd) : NULL;
  if (!p) {
    pthread_mutex_unlock(&mu);
    return REAL(tcdrain)(fd);
  }
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 30; /* the same as the kernel's closing_wait */
  unsigned id = p->id, want = ++p->drain_want;
  wake_pump(p);
  while (p->open && p->id == id && (int)(p->drain_done - want) < 0 &&
         pthread_cond_timedwait(&drain_cv, &mu, &until) == 0) {}
  tell("drain %s id=%u", p->name, id);
  pthread_mutex_unlock(&mu);
  return 0;
}

/* ------------------------------------------------------------- libudev */

struct udev { int ref; };
struct udev_list_entry { struct udev_list_entry *next; char *name, *value; };
struct udev_device {
  int ref;
  char action[16], syspath[256], sysname[64], devnode[80];
  struct udev_list_entry *props;
};
struct udev_enumerate { int ref, any, tty; struct udev_list_entry *list; };
struct udev_event { struct udev_event *next; struct udev_device *dev; };
struct udev_monitor {
  int ref, fd, filtered, tty, on;
  struct udev_event *head;
  struct udev_monitor *next;
};
static struct udev_monitor *monitors;

static void list_free(struct udev_list_entry *e) {
  while (e) {
    struct udev_list_entry *n = e->next;
    free(e->name); free(e->value); free(e);
    e = n;
  }
}
static void list_add(struct udev_list_entry **l, const char *name, const char *value) {
  struct udev_list_entry *e = calloc(1, sizeof *e);
  e->name = strdup(name);
  e->value = strdup(value ? value : "");
  while (*l) l = &(*l)->next;
  *l = e;
}

static void syspath_of(struct port *p, char buf[256]) {
  snprintf(buf, 256, "/sys/devices/platform/webserial/%.63s/tty/%.63s", p->name, p->name);
}

static struct udev_device *device_of(struct port *p, const char *action) {
  struct udev_device *d = calloc(1, sizeof *d);
  char b[512];
  d->ref = 1;
  COPY(d->action, action ? action : "");
  COPY(d->sysname, p->name);
  snprintf(d->devnode, sizeof d->devnode, "/dev/%s", p->name);
  syspath_of(p, d->syspath);
  list_add(&d->props, "SUBSYSTEM", "tty");
  list_add(&d->props, "DEVNAME", d->devnode);
  list_add(&d->props, "DEVPATH", d->syspath + 4);
  snprintf(b, sizeof b, "%d", p->major); list_add(&d->props, "MAJOR", b);
  snprintf(b, sizeof b, "%d", p->minor); list_add(&d->props, "MINOR", b);
  if (p->vid[0]) {
    list_add(&d->props, "ID_BUS", "usb");
    list_add(&d->props, "ID_VENDOR_ID", p->vid);
    list_add(&d->props, "ID_MODEL_ID", p->pid);
  }
  if (p->product[0]) {
    size_t o = 0;
    for (const char *s = p->product; *s && o < sizeof b - 5; s++)
      if (*s == ' ' || *s == '\\') o += sprintf(b + o, "\\x%02x", (unsigned char)*s);
      else b[o++] = *s;
    b[o] = 0;
    list_add(&d->props, "ID_MODEL_ENC", b);
  }
  if (p->serial[0]) list_add(&d->props, "ID_SERIAL_SHORT", p->serial);
  return d;
}

static void notify_monitors(const char *action, struct port *p) { /* mu held */
  for (struct udev_monitor *m = monitors; m; m = m->next) {
    if (!m->on || (m->filtered && !m->tty)) continue;
    struct udev_event *e = calloc(1, sizeof *e), **t = &m->head;
    e->dev = device_of(p, action);
    while (*t) t = &(*t)->next;
    *t = e;
    uint64_t one = 1;
    if (write(m->fd, &one, 8) < 0) {}
  }
}

EXPORT struct udev *udev_new(void) {
  struct udev *u = calloc(1, sizeof *u);
  u->ref = 1;
  return u;
}
EXPORT struct udev *udev_ref(struct udev *u) { if (u) __sync_add_and_fetch(&u->ref, 1); return u; }
EXPORT struct udev *udev_unref(struct udev *u) {
  if (u && __sync_sub_and_fetch(&u->ref, 1) == 0) free(u);
  return NULL;
}

EXPORT struct udev_list_entry *udev_list_entry_get_next(struct udev_list_entry *e) { return e ? e->next : NULL; }
EXPORT const char *udev_list_entry_get_name(struct udev_list_entry *e) { return e ? e->name : NULL; }
EXPORT const char *udev_list_entry_get_value(struct udev_list_entry *e) { return e ? e->value : NULL; }
EXPORT struct udev_list_entry *udev_list_entry_get_by_name(struct udev_list_entry *e, const char *name) {
  while (e && strcmp(e->name, name)) e = e->next;
  return e;
}

EXPORT struct udev_device *udev_device_ref(struct udev_device *d) { if (d) __sync_add_and_fetch(&d->ref, 1); return d; }
EXPORT struct udev_device *udev_device_unref(struct udev_device *d) {
  if (d && __sync_sub_and_fetch(&d->ref, 1) == 0) { list_free(d->props); free(d); }
  return NULL;
}
EXPORT const char *udev_device_get_action(struct udev_device *d) { return d && d->action[0] ? d->action : NULL; }
EXPORT const char *udev_device_get_devnode(struct udev_device *d) { return d ? d->devnode : NULL; }
EXPORT const char *udev_device_get_devtype(struct udev_device *d) { (void)d; return NULL; }
EXPORT const char *udev_device_get_driver(struct udev_device *d) { (void)d; return NULL; }
EXPORT const char *udev_device_get_subsystem(struct udev_device *d) { return d ? "tty" : NULL; }
EXPORT const char *udev_device_get_sysname(struct udev_device *d) { return d ? d->sysname : NULL; }
EXPORT const char *udev_device_get_syspath(struct udev_device *d) { return d ? d->syspath : NULL; }
EXPORT const char *udev_device_get_sysattr_value(struct udev_device *d, const char *a) { (void)d; (void)a; return NULL; }
EXPORT struct udev_device *udev_device_get_parent(struct udev_device *d) { (void)d; return NULL; }
EXPORT struct udev_device *udev_device_get_parent_with_subsystem_devtype(struct udev_device *d, const char *s, const char *t) { (void)d; (void)s; (void)t; return NULL; }
EXPORT struct udev_list_entry *udev_device_get_properties_list_entry(struct udev_device *d) { return d ? d->props : NULL; }
EXPORT const char *udev_device_get_property_value(struct udev_device *d, const char *key) {
  struct udev_list_entry *e = d ? udev_list_entry_get_by_name(d->props, key) : NULL;
  return e ? e->value : NULL;
}
EXPORT struct udev_device *udev_device_new_from_devnum(struct udev *u, char type, dev_t n) {
  (void)u;
  struct udev_device *d = NULL;
  pthread_mutex_lock(&mu);
  for (int i = 0; i < MAXPORTS && !d; i++)
    if (type == 'c' && ports[i].present && makedev(ports[i].major, ports[i].minor) == n)
      d = device_of(&ports[i], NULL);
  pthread_mutex_unlock(&mu);
  if (!d) errno = ENODEV;
  return d;
}
EXPORT struct udev_device *udev_device_new_from_subsystem_sysname(struct udev *u, const char *sub, const char *name) {
  (void)u;
  struct udev_device *d = NULL;
  pthread_mutex_lock(&mu);
  struct port *p = strcmp(sub, "tty") ? NULL : find_port(name);
  if (p) d = device_of(p, NULL);
  pthread_mutex_unlock(&mu);
  if (!d) errno = ENODEV;
  return d;
}
EXPORT struct udev_device *udev_device_new_from_syspath(struct udev *u, const char *path) {
  (void)u;
  struct udev_device *d = NULL;
  pthread_mutex_lock(&mu);
  for (int i = 0; i < MAXPORTS && !d; i++) {
    char b[256];
    syspath_of(&ports[i], b);
    if (ports[i].present && !strcmp(b, path)) d = device_of(&ports[i], NULL);
  }
  pthread_mutex_unlock(&mu);
  if (!d) errno = ENODEV;
  return d;
}

EXPORT struct udev_enumerate *udev_enumerate_new(struct udev *u) {
  (void)u;
  ctl_start();
  struct udev_enumerate *e = calloc(1, sizeof *e);
  e->ref = 1;
  return e;
}
EXPORT struct udev_enumerate *udev_enumerate_unref(struct udev_enumerate *e) {
  if (e && __sync_sub_and_fetch(&e->ref, 1) == 0) { list_free(e->list); free(e); }
  return NULL;
}
EXPORT int udev_enumerate_add_match_subsystem(struct udev_enumerate *e, const char *s) {
  e->any = 1;
  if (!s || !strcmp(s, "tty")) e->tty = 1;
  return 0;
}
EXPORT int udev_enumerate_scan_devices(struct udev_enumerate *e) {
  list_free(e->list);
  e->list = NULL;
  if (e->any && !e->tty) return 0;
  pthread_mutex_lock(&mu);
  for (int i = 0; i < MAXPORTS; i++) {
    char b[256];
    syspath_of(&ports[i], b);
    if (ports[i].present) list_add(&e->list, b, NULL);
  }
  pthread_mutex_unlock(&mu);
  return 0;
}
EXPORT struct udev_list_entry *udev_enumerate_get_list_entry(struct udev_enumerate *e) { return e ? e->list : NULL; }

EXPORT struct udev_monitor *udev_monitor_new_from_netlink(struct udev *u, const char *name) {
  (void)u; (void)name;
  ctl_start();
  struct udev_monitor *m = calloc(1, sizeof *m);
  m->ref = 1;
  m->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
  pthread_mutex_lock(&mu);
  m->next = monitors;
  monitors = m;
  pthread_mutex_unlock(&mu);
  return m;
}
EXPORT struct udev_monitor *udev_monitor_unref(struct udev_monitor *m) {
  if (!m || __sync_sub_and_fetch(&m->ref, 1)) return NULL;
  pthread_mutex_lock(&mu);
  for (struct udev_monitor **p = &monitors; *p; p = &(*p)->next)
    if (*p == m) { *p = m->next; break; }
  pthread_mutex_unlock(&mu);
  while (m->head) {
    struct udev_event *e = m->head;
    m->head = e->next;
    udev_device_unref(e->dev);
    free(e);
  }
  close(m->fd);
  free(m);
  return NULL;
}
EXPORT int udev_monitor_filter_add_match_subsystem_devtype(struct udev_monitor *m, const char *s, const char *t) {
  (void)t;
  m->filtered = 1;
  if (!s || !strcmp(s, "tty")) m->tty = 1;
  return 0;
}
EXPORT int udev_monitor_enable_receiving(struct udev_monitor *m) { m->on = 1; return 0; }
EXPORT int udev_monitor_get_fd(struct udev_monitor *m) { return m->fd; }
EXPORT struct udev_device *udev_monitor_receive_device(struct udev_monitor *m) {
  uint64_t n;
  if (read(m->fd, &n, 8) != 8) return NULL;
  pthread_mutex_lock(&mu);
  struct udev_event *e = m->head;
  struct udev_device *d = NULL;
  if (e) { m->head = e->next; d = e->dev; free(e); }
  pthread_mutex_unlock(&mu);
  return d;
}
