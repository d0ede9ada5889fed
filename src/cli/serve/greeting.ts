import type { Style } from '../terminal/style.ts'

/** The facts of a listening server. */
export interface Greeting {
  /** Where it listens. */
  readonly url: string
  /** The one-time sign-in link. */
  readonly address: string
  readonly data: string
  readonly tokenFile: string
}

/** What people see when a server is up. */
export function greetingText({ address, data, tokenFile }: Greeting, style: Style): string {
  const rows = [
    ['Open', style.bold(address)],
    ['', style.dim('One-time sign-in link, valid for 5 minutes. Need another? dragoman open')],
    ['Data', data],
    ['Token', `in ${tokenFile}, for API clients`],
    ['Stop', 'Ctrl-C'],
  ]
  const lines = rows.map(([name = '', text = '']) => `  ${style.dim(name.padEnd(5))}  ${text}\n`)
  return `${style.green('Dragoman is listening.')}\n\n${lines.join('')}\n`
}
