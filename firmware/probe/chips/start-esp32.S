/*
 * First instructions on an ESP32. They mask interrupts at level 15, with exceptions handled as without register
 * windows (PS = 0x2f), set a stack and clear .bss. Literals come before their use, because l32r only reaches
 * backwards.
 */
  .section .start, "ax"
  .align 4
stack_literal:
  .word stack_top
main_literal:
  .word main
bss_literal:
  .word bss_start
bss_end_literal:
  .word bss_end

  .global start
  .align 4
start:
  rsil a2, 15
  movi a2, 0x2f
  wsr.ps a2
  rsync
  l32r a1, stack_literal
  l32r a2, bss_literal
  l32r a3, bss_end_literal
  movi a4, 0
clear:
  s32i a4, a2, 0
  addi a2, a2, 4
  bltu a2, a3, clear
  l32r a3, main_literal
  callx0 a3
