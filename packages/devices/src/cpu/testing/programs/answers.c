/*
 * Ordinary code as compilers translate it: sorting, CRC-32, SHA-256, copies at odd addresses, arithmetic of 64 bits and divisions.
 * programs.test.ts knows the answers.
 */
#include <stdint.h>

uint8_t output[512];
uint32_t output_length;

static void put(const void *bytes, unsigned count) {
  for (unsigned index = 0; index < count; index++) {
    output[output_length++] = ((const uint8_t *)bytes)[index];
  }
}

void *memcpy(void *to, const void *from, __SIZE_TYPE__ count) {
  uint8_t *at = to;
  const uint8_t *read = from;
  for (; count > 0 && ((uintptr_t)at & 3) != 0; count--) {
    *at++ = *read++;
  }
  if (((uintptr_t)read & 3) == 0) {
    for (; count >= 4; count -= 4, at += 4, read += 4) {
      *(uint32_t *)at = *(const uint32_t *)read;
    }
  }
  for (; count > 0; count--) {
    *at++ = *read++;
  }
  return to;
}

void *memset(void *to, int value, __SIZE_TYPE__ count) {
  for (volatile uint8_t *at = to; count > 0; count--) {
    *at++ = value;
  }
  return to;
}

#ifdef __XTENSA__
/* The chip that Debian's libgcc is for has these in its ROM. What is built on them comes from libgcc. */
uint32_t __udivsi3(uint32_t dividend, uint32_t divisor) {
  uint32_t quotient = 0;
  for (int bit = 31; bit >= 0; bit--) {
    if (dividend >> bit >= divisor) {
      dividend -= divisor << bit;
      quotient |= 1u << bit;
    }
  }
  return quotient;
}

uint32_t __umodsi3(uint32_t dividend, uint32_t divisor) {
  return dividend - __udivsi3(dividend, divisor) * divisor;
}

int32_t __divsi3(int32_t dividend, int32_t divisor) {
  uint32_t quotient = __udivsi3(dividend < 0 ? -dividend : dividend, divisor < 0 ? -divisor : divisor);
  return (dividend ^ divisor) < 0 ? -quotient : quotient;
}

int32_t __modsi3(int32_t dividend, int32_t divisor) {
  return dividend - __divsi3(dividend, divisor) * divisor;
}

uint64_t __umulsidi3(uint32_t one, uint32_t other) {
  uint32_t low1 = one & 0xffff, high1 = one >> 16, low2 = other & 0xffff, high2 = other >> 16;
  uint32_t low = low1 * low2;
  uint32_t middle = high1 * low2 + (low >> 16);
  uint32_t rest = low1 * high2 + (middle & 0xffff);
  uint32_t parts[2] = {rest << 16 | (low & 0xffff), high1 * high2 + (middle >> 16) + (rest >> 16)};
  return (uint64_t)parts[1] << 32 | parts[0];
}

uint64_t __muldi3(uint64_t one, uint64_t other) {
  uint32_t upper = (uint32_t)(one >> 32) * (uint32_t)other + (uint32_t)one * (uint32_t)(other >> 32);
  return __umulsidi3(one, other) + ((uint64_t)upper << 32);
}

int64_t __divdi3(int64_t dividend, int64_t divisor) {
  uint64_t rest = dividend < 0 ? -dividend : dividend, by = divisor < 0 ? -divisor : divisor, quotient = 0;
  for (int bit = 63; bit >= 0; bit--) {
    if (rest >> bit >= by) {
      rest -= by << bit;
      quotient |= 1ull << bit;
    }
  }
  return (dividend ^ divisor) < 0 ? -quotient : quotient;
}
#endif

static uint32_t seed = 1;

static uint32_t next(void) {
  return seed = seed * 1664525u + 1013904223u;
}

static void sort(int32_t *values, int count) {
  while (count > 1) {
    int32_t pivot = values[count / 2];
    int low = 0, high = count - 1;
    while (low <= high) {
      while (values[low] < pivot) low++;
      while (values[high] > pivot) high--;
      if (low <= high) {
        int32_t kept = values[low];
        values[low++] = values[high];
        values[high--] = kept;
      }
    }
    sort(values, high + 1);
    values += low;
    count -= low;
  }
}

static uint32_t crc32(const uint8_t *bytes, unsigned count) {
  uint32_t crc = 0xffffffff;
  for (; count > 0; count--) {
    crc ^= *bytes++;
    for (int bit = 0; bit < 8; bit++) {
      crc = (crc & 1) ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
  }
  return ~crc;
}

/* FIPS 180-4, sections 4.1.2, 5.3.3 and 6.2. Its constants are roots of primes. */
static uint32_t rotate(uint32_t word, int by) {
  return word >> by | word << (32 - by);
}

/* The integer part of 2^32 times what is behind the point of the nth root of a prime; products have 128 bits. */
static uint32_t root(uint32_t prime, int nth) {
  uint64_t low = 0;
  for (int bit = 35; bit >= 0; bit--) {
    uint64_t candidate = low | 1ull << bit;
    uint64_t parts[4] = {candidate & 0xffffffff, candidate >> 32, 0, 0};
    uint64_t product[4] = {1, 0, 0, 0};
    for (int power = 0; power < nth; power++) {
      uint64_t sum[4] = {0, 0, 0, 0};
      for (int one = 0; one < 4; one++) {
        for (int other = 0; other < 2 && one + other < 4; other++) {
          uint64_t term = product[one] * parts[other];
          uint64_t carry = term & 0xffffffff;
          for (int at = one + other; at < 4; at++) {
            uint64_t total = sum[at] + (carry & 0xffffffff);
            sum[at] = total & 0xffffffff;
            carry = (carry >> 32) + (total >> 32) + (at == one + other ? term >> 32 : 0);
          }
        }
      }
      for (int at = 0; at < 4; at++) product[at] = sum[at];
    }
    uint64_t whole = product[nth];
    low = whole < prime ? candidate : low;
  }
  return (uint32_t)low;
}

static uint32_t prime_after(uint32_t number) {
  for (;;) {
    number++;
    uint32_t divisor = 2;
    while (divisor * divisor <= number && number % divisor != 0) divisor++;
    if (divisor * divisor > number) return number;
  }
}

static void sha256(const uint8_t *message, unsigned length) {
  uint32_t state[8], constants[64], schedule[64];
  uint8_t block[64] = {0};
  uint32_t prime = 1;
  for (int index = 0; index < 64; index++) {
    prime = prime_after(prime);
    constants[index] = root(prime, 3);
    if (index < 8) state[index] = root(prime, 2);
  }
  memcpy(block, message, length);
  block[length] = 0x80;
  block[62] = length >> 5;
  block[63] = length << 3;
  for (int index = 0; index < 16; index++) {
    const uint8_t *at = block + index * 4;
    schedule[index] = (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
  }
  for (int index = 16; index < 64; index++) {
    uint32_t early = schedule[index - 15], late = schedule[index - 2];
    schedule[index] = schedule[index - 16] + (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3) + schedule[index - 7] +
                      (rotate(late, 17) ^ rotate(late, 19) ^ late >> 10);
  }
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
  for (int index = 0; index < 64; index++) {
    uint32_t one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + constants[index] + schedule[index];
    uint32_t other = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + other;
  }
  uint32_t work[8] = {a, b, c, d, e, f, g, h};
  for (int index = 0; index < 8; index++) {
    uint32_t word = state[index] + work[index];
    uint8_t bytes[4] = {word >> 24, word >> 16, word >> 8, word};
    put(bytes, 4);
  }
}

int main(void) {
  int32_t values[40];
  for (int index = 0; index < 40; index++) values[index] = next();
  sort(values, 40);
  uint32_t crc = crc32((const uint8_t *)values, sizeof values);
  put(&crc, 4);
  put(&values[0], 4);
  put(&values[39], 4);

  sha256((const uint8_t *)"abc", 3);

  uint8_t area[64];
  uint32_t copies = 0;
  for (int to = 0; to < 4; to++) {
    for (int from = 0; from < 4; from++) {
      memset(area, 0x55, sizeof area);
      memcpy(area + to, output + from, 21);
      copies = copies * 31 + crc32(area, sizeof area);
    }
  }
  put(&copies, 4);

  for (int round = 0; round < 4; round++) {
    volatile int64_t one = (int64_t)((uint64_t)next() << 32 | next());
    volatile int64_t other = (int64_t)next() - (int64_t)next() * 3 + 1;
    int64_t results[6] = {one + other, one - other, one * other, one / other, one % other, one >> 13};
    put(results, sizeof results);
    volatile uint32_t dividend = next(), divisor = (next() >> 20) + 1;
    uint32_t quotients[4] = {dividend / divisor, dividend % divisor, (uint32_t)((int32_t)dividend / -(int32_t)divisor),
                             (uint32_t)((int32_t)dividend % -(int32_t)divisor)};
    put(quotients, sizeof quotients);
  }
  return 0;
}
