/** The record of a flash, and the names of its proofs. */
export { proofNames } from './proof-names.ts';
export { makeReceipt, type Receipt, type ReceiptParts, receiptTitle } from './receipt.ts';
