import * as z from 'zod/mini'
import type { Json } from '../../../protocol/json.ts'
import { startChild } from '../../kit/child-process.ts'
import { bounded, defineTool, type ToolPlace } from './tool.ts'

const longestSeconds = 600
const keptOutput = 4 * 1024 * 1024
const pieceMs = 200

/** Runs a command in a shell. */
export const run = defineTool({
  name: 'run',
  description:
    'Runs a command with sh in the working folder and returns its exit code, stdout and stderr. It has no input, and is stopped with all its child processes when it takes too long. Use "read", "list", "search" and "edit" for files.',
  schema: z.strictObject({
    command: z.string().check(z.minLength(1)),
    description: z.optional(z.string()),
    timeout_seconds: z.optional(z.number().check(z.positive(), z.maximum(longestSeconds))),
  }),
  asks: true,
  run: ({ command, timeout_seconds: seconds }, place) => runCommand(command, seconds, place),
})

async function runCommand(command: string, seconds: number | undefined, place: ToolPlace): Promise<Json> {
  const { cwd, dataFolder, settings, signal } = place
  const limit = seconds === undefined ? settings.commandMs : seconds * 1000
  const tooLong = AbortSignal.timeout(limit)
  await using child = startChild({
    command: 'sh',
    // The command is a separate argument: nothing is pasted into a line of ours.
    args: ['-c', 'exec 2>&1 </dev/null\neval "$1"', 'sh', command],
    cwd,
    inherit: settings.inherit,
    dataFolder,
    signal: AbortSignal.any([signal, tooLong]),
  })
  const output = await listen(child.output, place)
  const { code, signal: endedBy, reason } = await child.exit
  signal.throwIfAborted()
  const shown = bounded(output.text)
  if (tooLong.aborted)
    return { output: shown, exitCode: null, timedOut: `It was ended after ${limit / 1000} s.` }
  if (code === null) return { output: shown, exitCode: null, endedBy: endedBy ?? reason }
  return { output: shown, exitCode: code }
}

/** Collects the output of a command, and shows it in pieces while it runs: up to a limit, all of it is kept. */
async function listen(
  bytes: AsyncIterable<Uint8Array>,
  place: ToolPlace,
): Promise<{ readonly text: string }> {
  const decoder = new TextDecoder()
  const began = performance.now()
  let [text, shown, at, dropped] = ['', 0, began, 0]
  const show = async () => {
    if (text.length > shown) await place.progress(text.slice(shown))
    shown = text.length
    at = performance.now()
  }
  for await (const piece of bytes) {
    const more = decoder.decode(piece, { stream: true })
    if (text.length + more.length > keptOutput) dropped += more.length
    else text += more
    if (performance.now() - at >= pieceMs) await show()
  }
  // The result shows the whole output of a command that ended at once.
  if (shown > 0 || text.length > keptInResult) await show()
  return { text: dropped === 0 ? text : `${text}\n[… ${dropped} characters more were not kept …]` }
}

const keptInResult = 50_000
