/**
 * Recognises code of systems, frameworks and compilers, as opposed to the application's own. A row contains a system,
 * its folders, and its functions that occur between a crash and the application if no source is known. Folders with
 * samples and tests of a system contain applications. A row therefore lists the other folders only.
 */

interface Library {
  readonly system: string;
  /** Patterns of folders, each of complete names. `/` matches the separator of any system. */
  readonly folders: readonly string[];
  /** Patterns of complete names. */
  readonly functions?: readonly string[];
}

const libraries: readonly Library[] = [
  {
    // Reproducible builds write `/IDF` for its folder (ESP-IDF, `project.cmake`). Folders of PlatformIO's frameworks
    // begin in the same way.
    system: 'ESP-IDF',
    folders: [
      'esp-idf[^/]*',
      'IDF/components',
      'ESP8266_RTOS_SDK',
      'components/(?:freertos|esp_[^/]+|newlib|heap|log|lwip|soc|hal|xtensa|riscv|spi_flash|pthread|cxx)',
    ],
    // `panic.c`, `assert.c`, `port.c`.
    functions: [
      'panic_abort',
      'esp_system_abort',
      '_esp_error_check_failed',
      'esp_restart\\w*',
      '_xt_\\w+',
      '_frxt_\\w+',
      'multi_heap\\w*',
      'heap_caps\\w*',
      'tlsf_\\w+',
    ],
  },
  {
    system: 'PlatformIO',
    folders: ['framework-[^/]+', 'packages/toolchain-[^/]+'],
  },
  {
    // The Arduino IDE stores cores in `packages/<vendor>/hardware/<architecture>/<version>`.
    system: 'Arduino',
    folders: [
      'arduino-esp32[^/]*',
      'ArduinoCore-[^/]+',
      'packages/[^/]+/hardware/[^/]+/[^/]+',
      'hardware/[^/]+/[^/]+/cores',
      'cores/(?:arduino|avr|esp32|esp8266|mbed|nRF5|rp2040|samd|stm32|teensy\\d?)',
    ],
  },
  {
    system: 'FreeRTOS',
    folders: ['FreeRTOS-Kernel[^/]*', '(?:FreeRTOS[^/]*|freertos)/(?:Source|portable|include)', 'portable/GCC'],
    functions: [
      'vApplicationStackOverflowHook',
      'vPortTaskWrapper',
      'vTaskSwitchContext',
      'vTaskStartScheduler',
      'prvTaskExitError',
      'prvPortStartFirstTask',
      'vPort(?:SVC|EnterCritical|ExitCritical)\\w*',
      'xPort\\w+Handler',
    ],
  },
  {
    // Builds write WEST_TOPDIR or ZEPHYR_BASE for folders of the developer's machine
    // (`cmake/compiler/gcc/target.cmake`).
    system: 'Zephyr',
    folders: [
      'zephyr/(?:arch|boards|drivers|include|kernel|lib|misc|modules|soc|subsys)',
      'ZEPHYR_BASE/(?:arch|boards|drivers|include|kernel|lib|misc|modules|soc|subsys)',
      'modules/(?:hal|lib|crypto|bsim_hw_models|debug|fs)/[^/]+',
      'bootloader/mcuboot',
    ],
    functions: [
      'z_(?:arm|riscv|xtensa)_\\w+',
      'z_thread_entry',
      'z_fatal_error',
      'z_except_reason',
      'z_SysNmiOnReset',
      'k_sys_fatal_error_handler',
      'assert_post_action',
      'assert_print',
      'arch_system_halt',
      'bg_thread_main',
      'z_work_queue_main',
    ],
  },
  {
    system: 'nRF Connect SDK',
    folders: ['(?:nrf|sdk-nrf)/(?:drivers|include|lib|modules|subsys)', '(?:nrfxlib|sdk-nrfxlib|nrfx)'],
  },
  {
    // Its examples specify source paths relative to their own folder.
    system: 'nRF5 SDK',
    folders: [
      'nRF5_?SDK[^/]*/(?:components|external|integration|modules)',
      'components/(?:libraries|softdevice|drivers_nrf)',
      'modules/nrfx',
      'integration/nrfx',
    ],
    functions: [
      'app_error_(?:handler|fault_handler|save_and_stop|log)\\w*',
      'assert_nrf_callback',
      'nrf_(?:log|sched|pwr)\\w*',
    ],
  },
  {
    system: 'Mbed OS',
    folders: ['mbed-os[^/]*'],
    functions: ['mbed_(?:error|assert_internal|fault_handler|die)\\w*', 'osRtx\\w+', 'svcRtx\\w+'],
  },
  {
    system: 'STM32Cube',
    folders: [
      'STM32[^/]*_HAL_Driver',
      'STM32Cube[^/]*/(?:Drivers|Middlewares)',
      'Drivers/(?:CMSIS|BSP)',
      'Middlewares/(?:ST|Third_Party)',
      'libopencm3',
      'STM32[^/]*_StdPeriph_Driver',
    ],
    functions: ['HAL_\\w+_IRQHandler', 'HAL_(?:Delay|IncTick|Init)'],
  },
  {
    system: 'other kernels and kits',
    folders: [
      'pico-sdk[^/]*/(?:src|lib)',
      'nuttx/(?:arch|boards|drivers|fs|libs|mm|net|sched)',
      'RIOT[^/]*/(?:core|cpu|drivers|sys)',
      'rt-thread/(?:src|components|libcpu|bsp)',
      'cm_?backtrace',
    ],
    functions: [
      'cm_backtrace\\w*',
      'core_panic',
      'panic_arch',
      'panic_(?:unsupported|compact)',
      'hard_assertion_failure',
      'isr_hardfault',
    ],
  },
  {
    system: 'C and C++',
    folders: ['newlib[^/]*', 'picolibc[^/]*', 'libgcc', 'gcc', 'libstdc\\+\\+-v3'],
    functions: [
      'abort',
      '__assert_func',
      '__assert',
      '__stack_chk_fail',
      'mem(?:cpy|move|set|cmp)',
      'str\\w+',
      'v?s?n?printf',
      '_?(?:malloc|free|calloc|realloc)(?:_r)?',
    ],
  },
  {
    // The compiler's own library is under `/rustc/<commit>`.
    system: 'Rust',
    folders: ['rustc/[0-9a-f]{10,40}', '\\.cargo/(?:registry|git)'],
    functions: ['rust_begin_unwind', 'core::panicking::\\w+', '__rust_\\w+'],
  },
  {
    // Exceptions of Cortex-M by their CMSIS names, and the entry of a program.
    system: 'Cortex-M',
    folders: ['CMSIS/(?:Core|Device|RTOS2?|DSP)[^/]*'],
    functions: ['(?:HardFault|MemManage|BusFault|UsageFault|SecureFault)_Handler\\w*', 'Reset_Handler', '_start'],
  },
];

const folder = libraries
  .flatMap(({ folders }) => folders)
  .map((one) => one.replaceAll('[^/]', '[^\\\\/]').replaceAll(/(?<!\[\^\\\\)\/(?!\])/g, '[\\\\/]'))
  .join('|');
const LIBRARY_SOURCE = new RegExp(`(?:^|[\\\\/])(?:${folder})[\\\\/]`);
const LIBRARY_FUNCTION = new RegExp(`^(?:${libraries.flatMap(({ functions }) => functions ?? []).join('|')})$`);

/**
 * Returns true if a function belongs to a system and not to the application.
 * @param name Without arguments.
 * @param file Path in the debug information; empty if unknown.
 */
export const isLibraryCode = (name: string, file: string): boolean =>
  LIBRARY_FUNCTION.test(name) || LIBRARY_SOURCE.test(file);
