import type { Style } from '../terminal/style.ts'

/** The facts of a listening server. */
export interface Greeting {
  /** Where it listens. */
  readonly url: string
  /** The one-time sign-in link. */
  readonly address: string
  readonly data: string
  readonly tokenFile: string
  /** Whether the server was running already. */
  readonly wasRunning?: boolean
}

/** What people see when a server is up. */
export function greetingText(greeting: Greeting, style: Style): string {
  const { address, data, tokenFile, wasRunning = false } = greeting
  const rows = [
    ['Open', style.bold(address)],
    ['', style.dim('One-time sign-in link, valid for 5 minutes. Need another? dragoman open')],
    ['Data', data],
    ['Token', `in ${tokenFile}, for API clients`],
    ['Stop', wasRunning ? 'Ctrl-C where you started it' : 'Ctrl-C'],
  ]
  const lines = rows.map(([name = '', text = '']) => `  ${style.dim(name.padEnd(5))}  ${text}\n`)
  const state = wasRunning ? `Dragoman is already running at ${greeting.url}.` : 'Dragoman is listening.'
  return `${style.green(state)}\n\n${lines.join('')}\n`
}
