/*
 * A board with an AVR and its genuine bootloader, run by libsimavr. Tests compile this program.
 *
 *   simavr-board <mcu> <bootloader.hex> <low fuse> <high fuse> <extended fuse> <lock byte> [link]
 *
 * Fuses and the lock byte are hexadecimal. The crystal has 16 MHz.
 *
 * Without `link` the caller decides how fast time passes. Requests arrive on stdin and answers leave on stdout. A request
 * is a letter, a number (32 bits, little endian) and bytes:
 *
 *   R n          runs n cycles. Answers the program counter in bytes, the rate of UART0 in baud (0: not set up; on USB
 *                1: configured), a length, and the bytes that were sent.
 *   B n words    queues n words of 16 bits for UART0 or USB. Bit 15: the byte has a framing error.
 *   X 0          pulls the reset pin low and releases it.
 *   P 0          switches the power off and on.
 *   W n at bytes writes n bytes to flash from the address `at` (32 bits).
 *   F 0, E 0     answer the length and the bytes of flash or EEPROM.
 *
 * With `link`, UART0 is a pseudo-terminal at that path, and time passes as on a clock on the wall. Opening the terminal
 * resets the board, as a driver does that raises DTR. Time stops 500 ms after a reset until the first byte comes, because a
 * bootloader does not wait for a program that a busy machine starts late. Requests on stdin are answered on stdout,
 * without R and B. Both modes end when stdin ends.
 *
 * A chip with USB is configured by a host as Caterina expects it: interrupt endpoint 2, bulk endpoints 3 and 4 of 16
 * bytes. Requests carry the bytes of these two.
 *
 * libsimavr 1.6 simplifies four parts. This program replaces them by the behaviour of the data sheets (ATmega328P:
 * DS40002061B; ATmega640/1280/1281/2560/2561: DS40002211A):
 *
 *   - Programming a page clears bits only, and takes 4 ms, as does erasing (self-programming chapter).
 *   - A byte of EEPROM takes 3.4 ms, in which EEPE remains set. The program can read fuses and lock bits by LPM.
 *   - The receiver of a UART holds three bytes, and a byte lasts ten bits.
 *   - IVSEL moves the interrupt vectors to the boot section (ATmega16U4/32U4: Atmel-7766J).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "avr_eeprom.h"
#include "avr_flash.h"
#include "avr_uart.h"
#include "avr_usb.h"
#include "sim_avr.h"

DEFINE_FIFO(uint16_t, uart_fifo);

#define FREQUENCY 16000000
#define MCUSR 0x54
#define PORF 0x01
#define EXTRF 0x02
#define MCUCR 0x55
#define IVSEL 0x02
/* Registers of USB on an ATmega32U4. Bit 0 of each is the bus voltage, bit 0 of UDCON detaches the chip. */
#define USBSTA 0xd9
#define USBINT 0xda
#define VBUS 0x01
#define UDCON 0xe0
#define DETACH 0x01
/* Interrupt vectors of an ATmega32U4. */
#define VECTORS 43
/* Bytes of a packet and cycles between two of them. */
#define PACKET 16
#define PACKET_CYCLES (FREQUENCY / 8000)
/* Cycles between two steps of attaching. */
#define ATTACH_CYCLES (FREQUENCY / 100)

/* SPMCSR: bits of the register. */
#define SPMEN 0x01
#define PGERS 0x02
#define PGWRT 0x04
#define BLBSET 0x08
#define RWWSRE 0x10
#define RWWSB 0x40

/* High fuse: 0 in BOOTRST starts the boot section. BOOTSZ: 3 is the smallest section, each step down doubles it. */
#define BOOTRST 0x01
#define BOOTSZ_STEP 0x02
#define SMALLEST_SECTION (avr->flashend > 0xffff ? 1024u : 512u)

/* From a reset by the pin or by power to the first instruction: 65 ms, as all of these boards have in their low fuse. */
#define START_UP_CYCLES (FREQUENCY / 1000 * 65)
/* Cycles from writing SPMCSR (STS takes two) to the end of the time in which SPM and LPM obey it. */
#define ARMED_CYCLES 6
#define FLASH_CYCLES (FREQUENCY / 250)
#define EEPROM_USEC 3400
/* Bytes that a receiver holds: two in its buffer, one in its shift register. */
#define RECEIVER_BYTES 3
/* Bits of a byte on the wire: a start bit, eight data bits, a stop bit. */
#define FRAME_BITS 10
#define MAX_QUEUE 65536
/* Most cycles between two looks at the queue. A bit at 115200 baud takes 139. */
#define STEP_CYCLES 24
/* Time after a reset, in cycles, at which a board behind a pseudo-terminal waits for the first byte. */
#define WAITING_AT (FREQUENCY / 2)
/* A board that cannot keep up with the clock on the wall is allowed to be this late, in ns. */
#define MAX_LATE 20000000

static avr_t *avr;
static avr_uart_t *uart;
static avr_flash_t *flash;
static avr_eeprom_t *eeprom;
/* NULL for a chip without USB. */
static avr_usb_t *usb;

/* In the order in which LPM reads them: low fuse, lock byte, extended fuse, high fuse. */
static uint8_t fuses[4];
static uint8_t below_fuses[4];
static int fuses_shown;

static uint8_t eeprom_busy;
static avr_io_write_t simavr_writes_eecr;
static void *simavr_eecr;

static uint16_t queue[MAX_QUEUE];
static size_t queued, taken;
static avr_cycle_count_t arrives;

static uint8_t output[MAX_QUEUE];
static size_t sent;

/* The end of the start-up time, in cycles. */
static avr_cycle_count_t starts_at;

/* The last reset by DTR, and whether a byte has come since then. */
static avr_cycle_count_t reset_at;
static int has_byte;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

/* ---- Flash ---- */

static uint32_t boot_start(void) {
  return avr->flashend + 1 - (SMALLEST_SECTION << (3 - fuses[3] / BOOTSZ_STEP % 4));
}

static uint8_t *spmcsr(void) { return &avr->data[flash->r_spm]; }

static void hide_fuses(void) {
  if (fuses_shown) {
    memcpy(avr->flash, below_fuses, sizeof fuses);
    fuses_shown = 0;
  }
}

static avr_cycle_count_t disarm(avr_t *a, avr_cycle_count_t when, void *param) {
  hide_fuses();
  *spmcsr() &= RWWSB;
  return 0;
}

static avr_cycle_count_t finish_page(avr_t *a, avr_cycle_count_t when, void *param) {
  *spmcsr() &= ~SPMEN;
  return 0;
}

static int page_is_busy(void) { return avr_cycle_timer_status(avr, finish_page, NULL) != 0; }

static void write_spmcsr(avr_t *a, avr_io_addr_t addr, uint8_t value, void *param) {
  if (page_is_busy())
    return;
  hide_fuses();
  *spmcsr() = (*spmcsr() & RWWSB) | (value & ~RWWSB);
  if (value & SPMEN)
    avr_cycle_timer_register(avr, ARMED_CYCLES, disarm, NULL);
  if ((value & (SPMEN | BLBSET)) == (SPMEN | BLBSET)) {
    memcpy(below_fuses, avr->flash, sizeof fuses);
    memcpy(avr->flash, fuses, sizeof fuses);
    fuses_shown = 1;
  }
}

static void clear_page_buffer(void) {
  for (int i = 0; i < flash->spm_pagesize / 2; i++) {
    flash->tmppage[i] = 0xffff;
    flash->tmppage_used[i] = 0;
  }
}

/* The largest boot section is the part that cannot be read while it is written: the core halts. */
static int halts_core(uint32_t at) { return at > avr->flashend - (avr->flashend > 0xffff ? 8192 : 4096); }

static void start_page(uint32_t at) {
  if (halts_core(at)) {
    avr->cycle += FLASH_CYCLES;
    *spmcsr() = 0;
  } else {
    *spmcsr() = SPMEN | RWWSB;
    avr_cycle_timer_register(avr, FLASH_CYCLES, finish_page, NULL);
  }
}

/* Executes SPM, which has no effect outside of the boot section. */
static int execute_spm(avr_io_t *io, uint32_t ctl, void *param) {
  if (ctl != AVR_IOCTL_FLASH_SPM)
    return -1;
  if (!(*spmcsr() & SPMEN) || page_is_busy() || avr->pc < boot_start())
    return 0;
  uint32_t z = avr->data[R_ZL] | avr->data[R_ZH] << 8;
  if (avr->rampz)
    z |= avr->data[avr->rampz] << 16;
  z &= avr->flashend;
  uint32_t page = z & ~(uint32_t)(flash->spm_pagesize - 1);
  int word = (z - page) / 2;
  uint8_t mode = *spmcsr();
  avr_cycle_timer_cancel(avr, disarm, NULL);
  hide_fuses();
  if (mode & PGERS) {
    memset(avr->flash + page, 0xff, flash->spm_pagesize);
    start_page(page);
  } else if (mode & PGWRT) {
    for (int i = 0; i < flash->spm_pagesize; i++)
      avr->flash[page + i] &= flash->tmppage[i / 2] >> (i % 2 * 8);
    clear_page_buffer();
    start_page(page);
  } else if (mode & RWWSRE) {
    *spmcsr() = 0;
  } else {
    *spmcsr() &= RWWSB;
    if (!(mode & BLBSET) && !flash->tmppage_used[word]) {
      flash->tmppage[word] = avr->data[0] | avr->data[1] << 8;
      flash->tmppage_used[word] = 1;
    }
  }
  return 0;
}

/* ---- EEPROM ---- */

static avr_cycle_count_t finish_eeprom(avr_t *a, avr_cycle_count_t when, void *param) {
  eeprom_busy = 0;
  avr->data[eeprom->r_eecr] &= ~(1 << eeprom->eepe.bit);
  return 0;
}

static void write_eecr(avr_t *a, avr_io_addr_t addr, uint8_t value, void *param) {
  uint8_t eepe = 1 << eeprom->eepe.bit;
  int starts = avr_regbit_get(avr, eeprom->eempe) && (value & eepe) && !eeprom_busy;
  simavr_writes_eecr(avr, addr, value, simavr_eecr);
  if (starts) {
    eeprom_busy = eepe;
    avr_cycle_timer_register_usec(avr, EEPROM_USEC, finish_eeprom, NULL);
  }
  avr->data[addr] |= eeprom_busy;
}

/* ---- UART ---- */

/* Returns the cycles of a bit; 0 before the program has set the rate. */
static uint32_t bit_cycles(void) {
  uint32_t divisor = avr_regbit_get(avr, uart->ubrrl) | avr_regbit_get(avr, uart->ubrrh) << 8;
  return divisor == 0 ? 0 : (divisor + 1) * (avr_regbit_get(avr, uart->u2x) ? 8 : 16);
}

static uint32_t frame_cycles(void) { return FRAME_BITS * (bit_cycles() ? bit_cycles() : FREQUENCY / 115200); }

/* libsimavr uses `cycles_per_byte` for both directions, and reads it when a byte starts. */
static void send_byte(struct avr_irq_t *irq, uint32_t value, void *param) {
  uart->cycles_per_byte = frame_cycles();
  if (sent < MAX_QUEUE)
    output[sent++] = value;
}

static void receive_due(void) {
  while (taken < queued && arrives <= avr->cycle) {
    if (uart_fifo_get_read_size(&uart->input) < RECEIVER_BYTES) {
      /* The byte is already complete. */
      uart->cycles_per_byte = 1;
      avr_raise_irq(uart->io.irq + UART_IRQ_INPUT, queue[taken]);
    }
    taken++;
    arrives += frame_cycles();
  }
  if (taken == queued)
    taken = queued = 0;
}

static void queue_byte(uint16_t word) {
  if (queued == MAX_QUEUE)
    return;
  if (taken == queued && arrives < avr->cycle)
    arrives = avr->cycle;
  queue[queued++] = word;
}

/* ---- USB host ---- */

static enum { DETACHED, ATTACHED, POWERED, ADDRESSED, CONFIGURED } host;
static int control_request, control_stage;
static avr_cycle_count_t next_packet;

/* Set Address, Set Configuration, Set Line Coding (115200 8N1). */
static const struct {
  uint8_t setup[8];
  uint8_t data[8];
} control_requests[] = {
    {{0x00, 5, 7, 0, 0, 0, 0, 0}, {0}},
    {{0x00, 9, 1, 0, 0, 0, 0, 0}, {0}},
    {{0x21, 0x20, 0, 0, 0, 0, 7, 0}, {0x00, 0xc2, 0x01, 0x00, 0, 0, 8}},
};

static int transfer(uint32_t ctl, uint8_t pipe, uint8_t *bytes, uint32_t *length) {
  struct avr_io_usb packet = {pipe, *length, bytes};
  int result = avr_ioctl(avr, ctl, &packet);
  *length = packet.sz;
  return result;
}

static void see_attach(struct avr_irq_t *irq, uint32_t value, void *param) {
  host = ATTACHED;
  next_packet = avr->cycle + ATTACH_CYCLES;
}

/* libsimavr has no call for the bus voltage. */
static void power_bus(void) {
  avr->data[USBSTA] |= VBUS;
  avr->data[USBINT] |= VBUS;
  for (int i = 0; i < avr->interrupts.vector_count; i++)
    if (avr->interrupts.vector[i]->vector == usb->usb_gen_vect)
      avr_raise_interrupt(avr, avr->interrupts.vector[i]);
}

/* Sends the setup packet, then the data, then awaits the status. */
static void run_control_request(void) {
  uint8_t bytes[64];
  uint32_t length = 8;
  if (control_stage == 0) {
    memcpy(bytes, control_requests[control_request].setup, 8);
    control_stage += transfer(AVR_IOCTL_USB_SETUP, 0, bytes, &length) == 0;
  } else if (control_stage == 1) {
    memcpy(bytes, control_requests[control_request].data, 8);
    length = control_requests[control_request].setup[6];
    control_stage += length == 0 || transfer(AVR_IOCTL_USB_WRITE, 0, bytes, &length) == 0;
  } else if (transfer(AVR_IOCTL_USB_READ, 0, bytes, &length) != AVR_IOCTL_USB_NAK) {
    control_stage = 0;
    control_request++;
    if (control_request == sizeof control_requests / sizeof *control_requests)
      host = CONFIGURED;
  }
}

static void run_bulk(void) {
  uint8_t bytes[64];
  uint32_t length = 0;
  for (; length < PACKET && taken + length < queued; length++)
    bytes[length] = queue[taken + length];
  uint32_t offered = length;
  if (length > 0 && transfer(AVR_IOCTL_USB_WRITE, 4, bytes, &length) == 0)
    taken += offered;
  if (taken == queued)
    taken = queued = 0;
  if (transfer(AVR_IOCTL_USB_READ, 3, bytes, &length) == 0 && sent + length <= MAX_QUEUE) {
    memcpy(output + sent, bytes, length);
    sent += length;
  }
}

static void run_host(void) {
  if (avr->data[UDCON] & DETACH)
    host = DETACHED;
  if (host == DETACHED || avr->cycle < next_packet)
    return;
  next_packet = avr->cycle + (host < ADDRESSED ? ATTACH_CYCLES : PACKET_CYCLES);
  if (host == ATTACHED) {
    power_bus();
    host = POWERED;
  } else if (host == POWERED) {
    avr_ioctl(avr, AVR_IOCTL_USB_RESET, NULL);
    host = ADDRESSED;
    control_request = control_stage = 0;
  } else if (host == ADDRESSED) {
    run_control_request();
  } else {
    run_bulk();
  }
}

/* ---- Core ---- */

/* Called between two instructions. An interrupt has just been entered if the program counter is at a vector. */
static void move_vector(void) {
  int is_vector = avr->pc > 0 && avr->pc < VECTORS * 4 && avr->pc % 4 == 0;
  if ((avr->data[MCUCR] & IVSEL) && !avr->sreg[S_I] && is_vector)
    avr->pc += boot_start();
}

static void reset_flash(avr_io_t *io) {
  clear_page_buffer();
  hide_fuses();
  eeprom_busy = 0;
}

static void stay_awake(avr_t *a, avr_cycle_count_t cycles) {}

static void reset(uint8_t cause) {
  avr_reset(avr);
  avr->data[MCUSR] = cause;
  starts_at = avr->cycle + START_UP_CYCLES;
}

static void pulse_reset(void) {
  reset(EXTRF);
  reset_at = avr->cycle;
  has_byte = 0;
}

static void drop_log(avr_t *a, const int level, const char *format, va_list list) {}

static void run(avr_cycle_count_t cycles) {
  avr_cycle_count_t end = avr->cycle + cycles;
  while (avr->cycle < end || fuses_shown) {
    if (usb)
      run_host();
    else
      receive_due();
    if (avr->cycle < starts_at) {
      avr->cycle = starts_at < end ? starts_at : end;
      continue;
    }
    avr->run_cycle_limit = STEP_CYCLES;
    int state = avr_run(avr);
    if (usb)
      move_vector();
    if (state == cpu_Crashed && avr->pc >= avr->flashend) {
      /* The program counter wraps. */
      avr->pc = 0;
      avr->state = cpu_Running;
      avr->cycle++;
    } else if (state == cpu_Crashed || state == cpu_Done) {
      avr->cycle = end;
    }
  }
}

/* Returns NULL for a chip without it. Of several UARTs, returns the one with the lowest number. */
static avr_io_t *part(const char *kind) {
  avr_io_t *found = NULL;
  for (avr_io_t *io = avr->io_port; io; io = io->next)
    if (!strcmp(io->kind, kind) &&
        (!found || (!strcmp(kind, "uart") && ((avr_uart_t *)io)->name < ((avr_uart_t *)found)->name)))
      found = io;
  return found;
}

/*
 * Loads the boot section of an Intel HEX file; Arduino's file of Caterina contains a sketch as well. Of two records for
 * the same address the first applies.
 *
 * Debian builds optiboot with a compiler whose code is larger than its boot section of 512 bytes: it passes the end of
 * flash, and the record of the version falls into it. All of its jumps are relative, so it runs 512 bytes lower,
 * without that record. BOOTSZ then gives the section that it needs.
 */
static void load(const char *name) {
  static uint8_t image[1 << 19], is_loaded[1 << 19];
  FILE *file = fopen(name, "r");
  if (!file)
    fail(name);
  char line[600];
  uint32_t base = 0, start = sizeof image, end = 0;
  while (fgets(line, sizeof line, file)) {
    uint8_t record[260];
    int length = 0;
    for (unsigned byte; line[0] == ':' && length < 260 && sscanf(line + 1 + 2 * length, "%2x", &byte) == 1; length++)
      record[length] = byte;
    if (length < 5 || length != record[0] + 5) {
      fprintf(stderr, "%s: not an Intel HEX record: %s\n", name, line);
      exit(1);
    }
    uint32_t value = record[4] << 8 | record[5];
    uint32_t at = base + (record[1] << 8 | record[2]);
    if (record[3] == 2)
      base = value << 4;
    if (record[3] == 4)
      base = value << 16;
    for (int i = 0; record[3] == 0 && i < record[0] && at < sizeof image; i++, at++)
      if (!is_loaded[at] && at >= boot_start()) {
        image[at] = record[4 + i];
        is_loaded[at] = 1;
        start = at < start ? at : start;
        end = at >= end ? at + 1 : end;
      }
  }
  fclose(file);
  uint32_t moved = 0;
  while (end - moved > avr->flashend + 1)
    moved += SMALLEST_SECTION;
  while (start - moved < boot_start())
    fuses[3] -= BOOTSZ_STEP;
  for (uint32_t at = start; at < end; at++)
    if (is_loaded[at])
      avr->flash[at - moved] = image[at];
}

static void power(const char *mcu, const char *hex, char **bytes) {
  avr = avr_make_mcu_by_name(mcu);
  if (!avr) {
    fprintf(stderr, "libsimavr does not know %s.\n", mcu);
    exit(1);
  }
  avr_global_logger_set(drop_log);
  avr_init(avr);
  avr->frequency = FREQUENCY;
  avr->sleep = stay_awake;
  fuses[0] = strtoul(bytes[0], NULL, 16);
  fuses[1] = strtoul(bytes[3], NULL, 16);
  fuses[2] = strtoul(bytes[2], NULL, 16);
  fuses[3] = strtoul(bytes[1], NULL, 16);
  load(hex);
  avr->reset_pc = fuses[3] & BOOTRST ? 0 : boot_start();

  uart = (avr_uart_t *)part("uart");
  flash = (avr_flash_t *)part("flash");
  eeprom = (avr_eeprom_t *)part("eeprom");
  uart->flags = 0;
  avr_irq_register_notify(uart->io.irq + UART_IRQ_OUTPUT, send_byte, NULL);
  usb = (avr_usb_t *)part("usb");
  if (usb)
    avr_irq_register_notify(usb->io.irq + USB_IRQ_ATTACH, see_attach, NULL);
  flash->io.ioctl = execute_spm;
  flash->io.reset = reset_flash;
  avr->io[AVR_DATA_TO_IO(flash->r_spm)].w.c = write_spmcsr;
  simavr_writes_eecr = avr->io[AVR_DATA_TO_IO(eeprom->r_eecr)].w.c;
  simavr_eecr = avr->io[AVR_DATA_TO_IO(eeprom->r_eecr)].w.param;
  avr->io[AVR_DATA_TO_IO(eeprom->r_eecr)].w.c = write_eecr;
  reset(PORF);
}

/* ---- Requests ---- */

static void read_exactly(void *to, size_t length) {
  for (size_t at = 0; at < length;) {
    ssize_t got = read(STDIN_FILENO, (uint8_t *)to + at, length - at);
    if (got == 0)
      exit(0);
    if (got < 0 && errno != EINTR)
      fail("read");
    at += got > 0 ? got : 0;
  }
}

static void answer(int answers, const void *bytes, uint32_t length) {
  for (size_t at = 0; at < length;) {
    ssize_t put = write(answers, (const uint8_t *)bytes + at, length - at);
    if (put < 0 && errno != EINTR)
      fail("write");
    at += put > 0 ? put : 0;
  }
}

static void serve_request(int answers) {
  uint8_t request[5];
  uint32_t number, at;
  read_exactly(request, sizeof request);
  memcpy(&number, request + 1, 4);
  switch (request[0]) {
  case 'R': {
    run(number);
    uint32_t rate = usb ? host == CONFIGURED : bit_cycles() ? FREQUENCY / bit_cycles() : 0;
    uint32_t head[3] = {avr->pc, rate, sent};
    answer(answers, head, sizeof head);
    answer(answers, output, sent);
    sent = 0;
  } break;
  case 'B':
    for (uint16_t word; number > 0; number--) {
      read_exactly(&word, sizeof word);
      queue_byte(word);
    }
    break;
  case 'X':
    pulse_reset();
    break;
  case 'P':
    taken = queued = 0;
    sent = 0;
    reset(PORF);
    break;
  case 'W':
    read_exactly(&at, sizeof at);
    if (at > avr->flashend || number > avr->flashend + 1 - at) {
      fprintf(stderr, "%u bytes from %u are not in the flash.\n", number, at);
      exit(1);
    }
    read_exactly(avr->flash + at, number);
    break;
  case 'F':
    number = avr->flashend + 1;
    answer(answers, &number, sizeof number);
    answer(answers, avr->flash, number);
    break;
  case 'E':
    number = eeprom->size;
    answer(answers, &number, sizeof number);
    answer(answers, eeprom->eeprom, number);
    break;
  default:
    fprintf(stderr, "Unknown request %c.\n", request[0]);
    exit(1);
  }
}

/* ---- A pseudo-terminal, and time as on a clock on the wall ---- */

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int open_terminal(const char *link) {
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || grantpt(master) || unlockpt(master))
    fail("pseudo-terminal");
  int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
  struct termios raw;
  if (slave < 0 || tcgetattr(slave, &raw))
    fail("pseudo-terminal");
  cfmakeraw(&raw);
  tcsetattr(slave, TCSANOW, &raw);
  /* From now on the master reports a hang-up while no program has the terminal open. */
  close(slave);
  unlink(link);
  if (symlink(ptsname(master), link))
    fail(link);
  return master;
}

static void serve_terminal(const char *link, int answers) {
  int master = open_terminal(link);
  int is_open = 0;
  int64_t start = now();
  avr_cycle_count_t first = avr->cycle;
  for (;;) {
    struct pollfd files[2] = {{.fd = master, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
    poll(files, 2, sent > 0 ? 0 : 1);
    if (files[1].revents)
      serve_request(answers);
    if (files[0].revents & POLLHUP) {
      is_open = 0;
      usleep(500);
    } else if (!is_open) {
      is_open = 1;
      taken = queued = 0;
      pulse_reset();
    }
    if (files[0].revents & POLLIN) {
      uint8_t bytes[256];
      ssize_t got = read(master, bytes, sizeof bytes);
      for (ssize_t i = 0; i < got; i++)
        queue_byte(bytes[i]);
      has_byte = 1;
    }
    int64_t due = (now() - start) * (FREQUENCY / 1000000) / 1000;
    int64_t late = due - (int64_t)(avr->cycle - first);
    int is_waiting = is_open && !has_byte && avr->cycle > reset_at + WAITING_AT;
    if (is_waiting || late > MAX_LATE * (FREQUENCY / 1000000) / 1000) {
      start = now();
      first = avr->cycle;
    } else if (late > 0) {
      run(late);
    }
    if (sent > 0 && is_open)
      answer(master, output, sent);
    sent = 0;
  }
}

int main(int count, char **arguments) {
  if (count != 7 && count != 8) {
    fprintf(stderr, "simavr-board <mcu> <hex> <low> <high> <extended> <lock> [link]\n");
    return 2;
  }
  /* libsimavr prints to stdout. */
  int answers = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  power(arguments[1], arguments[2], arguments + 3);
  if (count == 8)
    serve_terminal(arguments[7], answers);
  for (;;)
    serve_request(answers);
}
