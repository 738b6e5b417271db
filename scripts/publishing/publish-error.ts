/** Something that whoever runs the build can mend; the message says what. */
export class PublishError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PublishError';
  }
}
