/**
 * How Node runs a forwarder. Every piece that is read is a small object that lives for a moment: with more room for young objects they
 * are cleared away in fewer rounds, which is a tenth to a fifth of the processor's time.
 */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=16'];
