/*
 * First instructions on an ESP32-C3. They mask interrupts, set the performance counter to count cycles (custom CSRs
 * mpcer and mpcmr, ESP32-C3 Technical Reference Manual, "ESP-RISC-V CPU"), set a stack and clear .bss.
 */
  .section .start, "ax"
  .global start
start:
  csrci mstatus, 8
  csrwi 0x7e0, 1
  csrwi 0x7e1, 1
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, stack_top
  la a0, bss_start
  la a1, bss_end
clear:
  sw zero, 0(a0)
  addi a0, a0, 4
  bltu a0, a1, clear
  call main
