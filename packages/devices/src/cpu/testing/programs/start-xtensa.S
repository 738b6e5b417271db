/* Calls main, writes the bytes in output, and ends (calls 4 and 1 of the simulators' SIMCALL). Turns exceptions off, because loops need that. */
  .section .start, "ax"
  .global _start
_start:
  j begin
  .align 4
stack_literal:
  .word stack_top
output_literal:
  .word output
length_literal:
  .word output_length
begin:
  movi a2, 0x2f
  wsr.ps a2
  rsync
  l32r a1, stack_literal
  call0 main
  l32r a4, output_literal
  l32r a5, length_literal
  l32i a5, a5, 0
  movi a3, 1
  movi a2, 4
  .byte 0x00, 0x51, 0x00
  movi a3, 0
  movi a2, 1
  .byte 0x00, 0x51, 0x00
