/** What is lost when a jkit is loaded into a panel. */
export function replacedText({
  name,
  pinnedMessages,
}: {
  readonly name: string;
  readonly pinnedMessages: readonly unknown[];
}): string {
  switch (pinnedMessages.length) {
    case 0:
      return `Its messages are added to ${name}.`;
    case 1:
      return `The message in ${name} is replaced.`;
    default:
      return `The ${pinnedMessages.length} messages in ${name} are replaced.`;
  }
}
