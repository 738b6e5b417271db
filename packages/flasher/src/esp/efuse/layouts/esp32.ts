/** eFuse fields of the ESP32 (Technical Reference Manual, chapter "eFuse Controller"; esptool, `efuse_defs/esp32.yaml`). */
import { type EfuseLayout, esp32Blocks, fieldsOf } from '../efuse-layout.ts';

export const esp32: EfuseLayout = {
  base: 0x3ff5_a000,
  blocks: esp32Blocks,
  errors: { kind: 'decoder', register: 0x11c },
  calibrated: { kind: 'field', name: 'BLK3_PART_RESERVE' },
  purposes: {},
  values: {
    XPD_SDIO_TIEH: { 0: '1.8V', 1: '3.3V' },
  },
  fields: fieldsOf(`
[calibration]
ADC_VREF 0 136 5 w4
ADC1_TP_LOW 3 96 7 w9 r2 calibrated
ADC1_TP_HIGH 3 103 9 w9 r2 calibrated
ADC2_TP_LOW 3 112 7 w9 r2 calibrated
ADC2_TP_HIGH 3 119 9 w9 r2 calibrated
[config]
WR_DIS 0 0 16 w1
RD_DIS 0 16 4 w0
DISABLE_APP_CPU 0 96 1 w3
DISABLE_BT 0 97 1 w3
DIS_CACHE 0 99 1 w3
CHIP_CPU_FREQ_LOW 0 108 1
CHIP_CPU_FREQ_RATED 0 109 1
BLK3_PART_RESERVE 0 110 1 w10 r3
CLK8M_FREQ 0 128 8 w4
VOL_LEVEL_HP_INV 0 182 2 w3
CODING_SCHEME 0 192 2 w10 r3
CONSOLE_DEBUG_DISABLE 0 194 1 w15
DISABLE_SDIO_HOST 0 195 1
DISABLE_DL_CACHE 0 201 1 w15
[flash]
FLASH_CRYPT_CNT 0 20 7 w2
FLASH_CRYPT_CONFIG 0 188 4 w10 r3
[identity]
CHIP_PACKAGE_4BIT 0 98 1
CHIP_PACKAGE 0 105 3
CHIP_VER_REV1 0 111 1
CHIP_VER_REV2 0 180 1
WAFER_VERSION_MINOR 0 184 2
WAFER_VERSION_MAJOR = CHIP_VER_REV1 CHIP_VER_REV2
PKG_VERSION = CHIP_PACKAGE CHIP_PACKAGE_4BIT
[jtag]
JTAG_DISABLE 0 198 1 w14
[MAC]
MAC 0 32 48 w3 bytes
MAC_CRC 0 80 8 w3
MAC_VERSION 3 184 8 w9 r2
CUSTOM_MAC_CRC 3 0 8 w9 r2 custom-mac
CUSTOM_MAC 3 8 48 w9 r2 bytes custom-mac
[security]
UART_DOWNLOAD_DIS 0 27 1 w2
ABS_DONE_0 0 196 1 w12
ABS_DONE_1 0 197 1 w13
DISABLE_DL_ENCRYPT 0 199 1 w15
DISABLE_DL_DECRYPT 0 200 1 w15
KEY_STATUS 0 202 1 w10 r3
SECURE_VERSION 3 128 32 w9 r2
BLOCK1 1 0 256 w7 r0 bytes
BLOCK2 2 0 256 w8 r1 bytes
BLOCK3 3 0 256 w9 r2 bytes
[spi pad]
SPI_PAD_CONFIG_HD 0 100 5
SPI_PAD_CONFIG_CLK 0 160 5 w6
SPI_PAD_CONFIG_Q 0 165 5 w6
SPI_PAD_CONFIG_D 0 170 5 w6
SPI_PAD_CONFIG_CS0 0 175 5 w6
[vdd]
XPD_SDIO_REG 0 142 1 w5
XPD_SDIO_TIEH 0 143 1 w5
XPD_SDIO_FORCE 0 144 1 w5
`),
};
