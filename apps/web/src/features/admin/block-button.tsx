import { moderate } from './moderation-calls.ts';
import { ReasonButton } from './reason-button.tsx';

export interface BlockButtonProps {
  /** Id of the account. */
  readonly id: string;
  readonly publicName: string;
}

/** Used in the list of accounts, and beside everything that an account publishes. */
export function BlockButton({ id, publicName }: BlockButtonProps) {
  return (
    <ReasonButton
      action="Block"
      what={publicName}
      danger
      explanation="The account can no longer share anything, what it shares is hidden, and its publishing tokens stop working. The publisher sees the reason."
      done={`${publicName} was blocked`}
      run={(reason) => moderate.block(id, reason)}
    />
  );
}
