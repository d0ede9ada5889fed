import type { Fault, WriterStep } from './writer-messages.ts'

/** Called when a step is reached; for crash tests, the process may end there. */
export type Reach = (step: WriterStep) => void

/** Ends the process at the given step, the given time it is reached. */
export function createReach(fault: Fault | null): Reach {
  if (fault === null) return () => {}
  let left = fault.occurrence
  return step => {
    if (step !== fault.step || --left > 0) return
    if (fault.throws !== true) process.kill(process.pid, 'SIGKILL')
    // Past every handler: as a fault of our own would end the thread.
    else process.exit()
  }
}
