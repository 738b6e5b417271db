/** The record of a flash as text, and the names of its proofs. */
export { proofNames } from './proof-names.ts';
export { makeReceipt, type Receipt, type ReceiptParts, receiptText, receiptTitle } from './receipt.ts';
