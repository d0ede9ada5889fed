import { anchor } from './show.ts'

/** The AI SDK's `pruneMessages`: calls, results and reasoning before the newest steps are taken out altogether. */
export const pruneMessages = (steps: number) =>
  anchor(
    `ai sdk pruneMessages (last ${steps})`,
    () => (request, seen) =>
      new Map(
        seen
          .filter(
            ({ kind, step }) => ['call', 'result', 'thinking'].includes(kind) && step < request.step - steps,
          )
          .map(block => [block, null]),
      ),
  )
