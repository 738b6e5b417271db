/** eFuse fields of the ESP32-C2 (Technical Reference Manual, chapter "eFuse Controller"; esptool, `efuse_defs/esp32c2.yaml`). */
import { type EfuseLayout, esp32c2Blocks, fieldsOf } from '../efuse-layout.ts';

export const esp32c2: EfuseLayout = {
  base: 0x6000_8800,
  blocks: esp32c2Blocks,
  errors: { kind: 'blocks', repeat: 0x80, repeatWords: 1, blocks: 0x84, blockWords: 1 },
  calibrated: { kind: 'block-version', from: 1 },
  purposes: {},
  values: {
    WDT_DELAY_SEL: { 0: '40000', 1: '80000', 2: '160000', 3: '320000' },
    XTS_KEY_LENGTH_256: { 0: '128 bits key', 1: '256 bits key' },
    BLK_VERSION_MINOR: { 0: 'No calib', 1: 'With calib' },
  },
  fields: fieldsOf(`
[calibration]
OCODE 2 62 7 w6 calibrated
TEMP_CALIB 2 69 9 w6 calibrated
ADC1_INIT_CODE_ATTEN0 2 78 8 w6 calibrated
ADC1_INIT_CODE_ATTEN3 2 86 5 w6 calibrated
ADC1_CAL_VOL_ATTEN0 2 91 8 w6 calibrated
ADC1_CAL_VOL_ATTEN3 2 99 6 w6 calibrated
DIG_DBIAS_HVT 2 105 5 w6 calibrated
DIG_LDO_SLP_DBIAS2 2 110 7 w6 calibrated
DIG_LDO_SLP_DBIAS26 2 117 8 w6 calibrated
DIG_LDO_ACT_DBIAS26 2 125 6 w6 calibrated
DIG_LDO_ACT_STEPD10 2 131 4 w6 calibrated
RTC_LDO_SLP_DBIAS13 2 135 7 w6 calibrated
RTC_LDO_SLP_DBIAS29 2 142 9 w6 calibrated
RTC_LDO_SLP_DBIAS31 2 151 6 w6 calibrated
RTC_LDO_ACT_DBIAS31 2 157 6 w6 calibrated
RTC_LDO_ACT_DBIAS13 2 163 8 w6 calibrated
ADC_CALIBRATION_3 2 192 11 w6 calibrated
[config]
WR_DIS 0 0 8
RD_DIS 0 32 2 w0
UART_PRINT_CONTROL 0 43 2 w3
DIS_DIRECT_BOOT 0 47 1 w3
[flash]
FORCE_SEND_RESUME 0 45 1 w3
FLASH_TPUW 0 49 4 w3
FLASH_VENDOR 2 248 3 w6
FLASH_TEMP 2 251 2 w6
FLASH_CAP 2 253 3 w6
[identity]
DISABLE_WAFER_VERSION_MAJOR 0 59 1 w4
DISABLE_BLK_VERSION_MAJOR 0 60 1 w4
WAFER_VERSION_MINOR 2 48 4 w6
WAFER_VERSION_MAJOR 2 52 2 w6
PKG_VERSION 2 54 3 w6
BLK_VERSION_MINOR 2 57 3 w6
BLK_VERSION_MAJOR 2 60 2 w6
[jtag]
DIS_PAD_JTAG 0 36 1 w1
[MAC]
CUSTOM_MAC_USED 0 58 1 w4
CUSTOM_MAC 1 0 48 w5 bytes
MAC 2 0 48 w6 bytes
[security]
DIS_DOWNLOAD_ICACHE 0 37 1 w1
DIS_DOWNLOAD_MANUAL_ENCRYPT 0 38 1 w2
SPI_BOOT_CRYPT_CNT 0 39 3 w2
XTS_KEY_LENGTH_256 0 42 1 w2
DIS_DOWNLOAD_MODE 0 46 1 w3
ENABLE_SECURITY_DOWNLOAD 0 48 1 w3
SECURE_BOOT_EN 0 53 1 w2
SECURE_VERSION 0 54 4 w4
BLOCK_KEY0 3 0 256 w7 r0,1 bytes
BLOCK_KEY0_LOW_128 3 0 128 w7 r0 bytes
BLOCK_KEY0_HI_128 3 128 128 w7 r1 bytes
[wdt]
WDT_DELAY_SEL 0 34 2 w1
`),
};
