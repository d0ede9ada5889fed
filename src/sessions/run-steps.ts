/** The named steps of reading, saving and sending. A crash at any of them must not lose what was acknowledged. */
export const runSteps = [
  'before-connect',
  'after-connect',
  'before-prompt',
  'after-prompt',
  'translated',
  'before-append',
  'after-append',
  'before-send',
  'after-send',
  'before-ended',
  'after-ended',
  'before-answer',
  'after-answer',
  'before-interrupt',
  'after-interrupt',
  'before-recover',
  'after-recover',
] as const
/** One of the named steps. */
export type RunStep = (typeof runSteps)[number]

/** Called at each step. A crash test ends the process there. */
export type Checkpoint = (step: RunStep) => void | Promise<void>
