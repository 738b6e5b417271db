/** The breadboards of the lab's demo boards: the pins of each chip, and the part on each pin. */
import { Breadboard } from './breadboard.ts';
import { Bme280 } from './parts/bme280.ts';
import { Eeprom24c32 } from './parts/eeprom-24c32.ts';
import { Gnss } from './parts/gnss.ts';
import { Mpu6050 } from './parts/mpu6050.ts';
import { Button, Led, Potentiometer } from './parts/simple-parts.ts';
import { Ssd1306 } from './parts/ssd1306.ts';
import { Tmp105 } from './parts/tmp105.ts';
import { SignalSource } from './wave.ts';

/** GPIO numbers of the chip. */
export interface LabPins {
  readonly sda: number;
  readonly scl: number;
  readonly potentiometer: number;
  readonly button: number;
  readonly led: number;
  /** Receives the TX of the GNSS receiver. */
  readonly gnss: number;
}

const pinsOf = {
  esp32: { sda: 21, scl: 22, potentiometer: 34, button: 27, led: 26, gnss: 16 },
  esp32c3: { sda: 5, scl: 6, potentiometer: 0, button: 10, led: 7, gnss: 4 },
} as const satisfies Record<string, LabPins>;

/** Chips with a demo board for the lab. */
export type LabChipName = keyof typeof pinsOf;

/**
 * I2C parts on SDA and SCL with pull-ups, a potentiometer, a button to ground, an LED to ground and a GNSS receiver.
 */
export class LabBreadboard extends Breadboard {
  readonly pins: LabPins;
  readonly bme280 = new Bme280();
  readonly mpu6050 = new Mpu6050();
  readonly ssd1306 = new Ssd1306();
  readonly eeprom = new Eeprom24c32();
  readonly tmp105 = new Tmp105();
  readonly potentiometer: Potentiometer;
  readonly button: Button;
  readonly led: Led;

  constructor(pins: LabPins) {
    super();
    this.pins = pins;
    const now = () => this.now;
    this.addI2c(pins.sda, pins.scl, [this.bme280, this.mpu6050, this.ssd1306, this.eeprom, this.tmp105]);
    this.pullUp(pins.sda);
    this.pullUp(pins.scl);
    this.potentiometer = new Potentiometer(this.net(pins.potentiometer), now);
    this.button = new Button(this.net(pins.button), now);
    this.led = new Led(this.net(pins.led), now);
    this.net(pins.gnss).add(new SignalSource(new Gnss()), 0);
  }

  /**
   * Makes a target hold SDA low.
   * @param clocks Rising edges of SCL until the release. Default 9, the number that a bus recovery sends.
   */
  stickBus(clocks = 9): void {
    this.stickI2c(this.pins.sda, this.pins.scl, clocks);
  }
}

/** Creates the breadboard of a chip's demo board. */
export function labBreadboard(chip: LabChipName): LabBreadboard {
  return new LabBreadboard(pinsOf[chip]);
}
