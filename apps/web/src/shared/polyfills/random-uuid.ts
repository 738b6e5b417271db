/** `crypto.randomUUID`, Chromium 92. */
export function provideRandomUuid(): void {
  if (!('randomUUID' in crypto)) {
    Object.defineProperty(crypto, 'randomUUID', { configurable: true, writable: true, value: randomUuid });
  }
}

/** RFC 9562, section 5.4: version 4, variant 10. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) =>
    (index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0'),
  ).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
