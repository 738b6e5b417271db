import { describe, expect, it } from 'vitest';
import { isLibraryCode } from './library-code.ts';

describe('code of a system', () => {
  it.each([
    ['ESP-IDF', '/home/me/esp/esp-idf/components/esp_system/panic.c'],
    ['ESP-IDF with a version', 'C:\\Espressif\\frameworks\\esp-idf-v5.2.1\\components\\nvs_flash\\src\\nvs.cpp'],
    ['ESP-IDF in a reproducible build', '/IDF/components/bt/host/nimble/nimble.c'],
    ['ESP-IDF as PlatformIO has it', '/home/me/.platformio/packages/framework-espidf/components/wifi/wifi.c'],
    ['ESP8266 RTOS SDK', '/opt/ESP8266_RTOS_SDK/components/esp8266/source/task.c'],
    ['an Arduino core', '/home/me/.arduino15/packages/esp32/hardware/esp32/2.0.14/cores/esp32/main.cpp'],
    ['an Arduino core of AVR', 'C:\\Program Files\\Arduino\\hardware\\arduino\\avr\\cores\\arduino\\main.cpp'],
    ['an Arduino core beside a program', '/work/ArduinoCore-mbed/cores/arduino/main.cpp'],
    ['FreeRTOS', '/work/app/FreeRTOS/Source/tasks.c'],
    ['FreeRTOS as a submodule', '../lib/FreeRTOS-Kernel/queue.c'],
    ['FreeRTOS of STM32Cube', '../Middlewares/Third_Party/FreeRTOS/Source/portable/GCC/ARM_CM4F/port.c'],
    ['Zephyr’s kernel', '/home/me/zephyrproject/zephyr/kernel/fatal.c'],
    ['Zephyr in a build without folders of the machine', 'WEST_TOPDIR/zephyr/arch/arm/core/fatal.c'],
    ['Zephyr by its variable', 'ZEPHYR_BASE/subsys/shell/shell.c'],
    ['a module of Zephyr', '/home/me/zephyrproject/modules/hal/stm32/stm32cube/stm32f4xx/drivers/src/hal.c'],
    ['MCUboot', '/home/me/ncs/bootloader/mcuboot/boot/zephyr/main.c'],
    ['nRF Connect SDK', '/home/me/ncs/v2.5.0/nrf/subsys/bluetooth/services/nus.c'],
    ['nrfxlib', 'WEST_TOPDIR/nrfxlib/mpsl/mpsl.c'],
    ['nRF5 SDK', 'C:\\nRF5_SDK_17.1.0_ddde560\\modules\\nrfx\\drivers\\src\\nrfx_twi.c'],
    ['nRF5 SDK relative to an example', '../../../../../../components/libraries/util/app_error_weak.c'],
    ['Mbed OS', './mbed-os/platform/source/mbed_error.c'],
    ['Mbed OS of Arduino', '/home/me/mbed-os-6.15/rtos/source/Thread.cpp'],
    ['STM32 HAL', '../Drivers/STM32F4xx_HAL_Driver/Src/stm32f4xx_hal_uart.c'],
    ['CMSIS', 'Drivers/CMSIS/Device/ST/STM32F4xx/Include/stm32f407xx.h'],
    ['a package of STM32Cube', 'C:\\STM32Cube\\STM32Cube_FW_F4_V1.27.0\\Middlewares\\ST\\usb.c'],
    ['libopencm3', 'libopencm3/lib/stm32/f4/rcc.c'],
    ['Pico SDK', '/home/me/pico-sdk/src/rp2_common/pico_time/time.c'],
    ['Arduino-Pico', '/home/me/.arduino15/packages/rp2040/hardware/rp2040/4.4.0/cores/rp2040/main.cpp'],
    [
      'the Pico SDK of Arduino-Pico',
      '/home/earle/Arduino/hardware/pico/rp2040/pico-sdk/src/rp2_common/pico_platform_panic/panic.c',
    ],
    ['TinyUSB of the Pico SDK', '/home/me/pico-sdk/lib/tinyusb/src/tusb.c'],
    ['lwIP of the Pico SDK', '/home/me/pico-sdk/lib/lwip/src/core/mem.c'],
    ['newlib', '/build/newlib-4.1.0/newlib/libc/stdio/vfprintf.c'],
    ['Rust’s library', '/rustc/129f3b9964af4d4a709d1383930ade12dfe7c081/library/core/src/panicking.rs'],
    ['a crate', '/home/me/.cargo/registry/src/index.crates.io-6f17d22bba15001f/embassy-executor-0.5.0/src/lib.rs'],
  ])('is known by its source: %s', (_, file) => {
    expect(isLibraryCode('some_function', file)).toBe(true);
  });

  it.each([
    ['a program', '/home/me/project/main/app.c'],
    ['a component of the application', '/home/me/project/components/sensors/sensors.c'],
    ['a sample of Zephyr', '/home/me/zephyrproject/zephyr/samples/basic/blinky/src/main.c'],
    ['an application of the nRF Connect SDK', '/home/me/ncs/v2.5.0/nrf/applications/asset_tracker/src/main.c'],
    ['an example of the nRF5 SDK', '/opt/nRF5_SDK_17.1.0_ddde560/examples/ble_peripheral/ble_app_uart/main.c'],
    ['a demo of FreeRTOS', '/opt/FreeRTOS/Demo/CORTEX_M4F/main.c'],
    ['a program of STM32CubeMX', '../Core/Src/main.c'],
    ['a sketch', '/home/me/Arduino/sketch/sketch.ino'],
    ['a program whose folder begins as a system’s', '/home/me/zephyr-weather/src/kernel.c'],
    ['no file', ''],
  ])('is not %s', (_, file) => {
    expect(isLibraryCode('some_function', file)).toBe(false);
  });

  it.each([
    'z_arm_fatal_error',
    'k_sys_fatal_error_handler',
    'mbed_error',
    'app_error_fault_handler',
    'osRtxThreadStart',
  ])('is known by its name: %s', (name) => {
    expect(isLibraryCode(name, '')).toBe(true);
    expect(isLibraryCode(`my_${name}`, '')).toBe(false);
  });
});
