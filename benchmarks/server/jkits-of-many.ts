/** Deterministic JKits of a large community, and the queries that people type to find them. */
import type { SeededJkit } from '@wirebench/server/testing/many-jkits.ts';

const words = (
  'AT command modem GPS GNSS fix sensor BME280 BMP180 MPU6050 SHT31 DS18B20 temperature humidity pressure motor stepper ' +
  'servo driver TMC2209 A4988 DRV8825 display OLED SSD1306 ILI9341 backlight LoRa SX1276 RFM95 NB-IoT SIM7000 SIM800L ' +
  'Quectel BC66 BG96 Bluetooth HC-05 HM-10 nRF52 ESP32 ESP8266 STM32 Arduino Nano relay board battery charger BQ24195 ' +
  'INA219 current voltage meter power management audio DFPlayer VS1053 codec flash EEPROM W25Q64 storage SD card reader ' +
  'RFID PN532 MFRC522 fingerprint R503 laser distance TFmini lidar RPLIDAR encoder AS5600 IMU calibration bootloader ' +
  'firmware version query reset factory debug trace log level baud rate echo test loopback ping status report telemetry ' +
  'Modbus RTU register read write coil holding input DMX512 MIDI NMEA UBX RTK base rover survey printer GCode Marlin ' +
  'home probe mesh extruder heater fan Zigbee CC2530 Thread router joiner network scan join leave radio channel'
).split(' ');

const people = Array.from({ length: 997 }, (_, number) => `maker${number}`);

/** Park and Miller's minimal standard generator: fast, and the same sequence on every machine. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield state;
  }
}

export function* jkitsOfMany(count: number): Generator<SeededJkit> {
  const random = numbers(20_261_120);
  const below = (limit: number) => random.next().value % limit;
  // Word frequencies as in a language: some words are in many JKits, most in few.
  const word = () => words[Math.floor((below(1_000) / 1_000) ** 2 * words.length)] ?? '';
  const some = (least: number, most: number) => Array.from({ length: least + below(most - least + 1) }, word).join(' ');
  for (let number = 0; number < count; number++) {
    yield {
      name: `${some(1, 3)} ${number % 5 === 0 ? number : ''}`.trim().slice(0, 60),
      type: 'uart',
      content: JSON.stringify({ fields: ['AT', 'AT+CSQ', { content: 'ff 01', type: 'hex' }] }),
      description: some(4, 16).slice(0, 500),
      shared: true,
      tags: [...new Set([word(), word(), word()])].map((tag) => tag.slice(0, 24)),
      version: '1.0.0',
      publisher: people[below(people.length)] ?? '',
    };
  }
}

/** Returns texts of `length` characters that start words of the JKits or are inside them. */
export function queriesOfLength(length: number, count: number): readonly string[] {
  const random = numbers(length);
  const long = words.filter((word) => word.length >= length);
  const text = (
    length > 8 || long.length === 0 ? words.map((word, index) => `${word} ${words[index + 1] ?? word}`) : long
  ).filter((candidate) => candidate.length >= length);
  return Array.from({ length: count }, (_, index) => {
    const chosen = text[random.next().value % text.length] ?? '';
    const start = length > 2 && index % 2 === 1 ? random.next().value % (chosen.length - length + 1) : 0;
    return chosen.slice(start, start + length).trim();
  }).filter((query) => query.length > 1);
}

/**
 * Returns words, and pairs of words, that at least a hundredth of the JKits contains: the first words are the most
 * frequent.
 */
export function frequentQueries(count: number): readonly string[] {
  const random = numbers(1);
  const word = () => words[random.next().value % 12] ?? '';
  return Array.from({ length: count }, (_, index) => (index % 4 === 3 ? `${word()} ${word()}` : word().slice(0, 8)));
}

/**
 * Returns names of single JKits in `jkitsOfMany(jkits)`. Every three characters of a name occur in thousands of other
 * JKits.
 */
export function rareQueries(count: number, jkits: number): readonly string[] {
  const random = numbers(2);
  return Array.from({ length: count }, () => `${5 * (random.next().value % Math.floor(jkits / 5))}`);
}

/**
 * Returns texts that no JKit in `jkitsOfMany(jkits)` contains. Half of them consist of character sequences that
 * thousands contain.
 */
export function absentQueries(count: number, jkits: number): readonly string[] {
  const random = numbers(3);
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? `${10 * jkits + (random.next().value % jkits)}`
      : `${words[random.next().value % words.length]}qzx`,
  );
}
