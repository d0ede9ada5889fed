import { isatty } from 'node:tty'
import { colourStyle, plainStyle, type Style } from './style.ts'

/** An output: a terminal, a file or a pipe. */
export interface Output {
  readonly isTerminal: boolean
  readonly columns: number
  readonly style: Style
  write(text: string | Uint8Array): void
  /** Resolves when there is room for more; long output must wait for it. */
  drained(): Promise<void>
  /** Resolves when everything was written. */
  flush(): Promise<void>
}

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Writes to a stream of the process. Calls `lost` when its reader is gone. */
export function createOutput(
  stream: NodeJS.WriteStream & { readonly fd: number },
  env: Environment,
  lost: () => void,
): Output {
  const waiting = new Set<() => void>()
  const wakeAll = () => {
    for (const wake of waiting) wake()
    waiting.clear()
  }
  let gone = false
  stream.on('drain', wakeAll)
  stream.on('error', () => {
    if (gone) return
    gone = true
    wakeAll()
    lost()
  })
  const isTerminal = isatty(stream.fd)
  const colours = isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  return {
    isTerminal,
    get columns() {
      return isTerminal ? stream.columns || 80 : Number.POSITIVE_INFINITY
    },
    style: colours ? colourStyle : plainStyle,
    write(text) {
      if (!gone) stream.write(text)
    },
    async drained() {
      if (!gone && stream.writableNeedDrain) await new Promise<void>(resolve => void waiting.add(resolve))
    },
    async flush() {
      if (!gone) await new Promise<void>(resolve => void stream.write('', () => resolve()))
    },
  }
}
