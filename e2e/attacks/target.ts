import { paths, type CallName } from '../../src/protocol/api/paths.ts'

/** What an attack is aimed at. */
export interface Target {
  readonly port: number
  readonly token: string
  /** The cookie of a browser that signed in: every other port of the machine gets it, too. */
  readonly cookie: string
  /** A session that exists. */
  readonly session: string
  /** A folder in which sessions may work. */
  readonly root: string
}

/** A call of the server, ready to be sent. */
export interface Call {
  readonly name: CallName
  readonly method: string
  readonly path: string
  /** A body that the server would take, where the call has one. */
  readonly body: Readonly<Record<string, unknown>> | undefined
}

const bodies: Partial<Record<CallName, Readonly<Record<string, unknown>>>> = {
  createTicket: {},
  signOut: {},
  createSession: { agent: 'scripted' },
  changeSession: { title: 'taken over' },
  prompt: { text: 'hello' },
  continueQueue: {},
  interrupt: {},
  answerApproval: { approved: true },
  branch: { messageId: 'm' },
  manipulate: { changes: [{ do: 'pin', parts: ['m/0'] }] },
  rollBack: { manipulations: ['m'] },
  merge: { from: 'another' },
  changeImports: { following: false },
  changeImport: { paused: true },
  changeSettings: { agent: null },
  startImport: { path: '/nowhere' },
  chat: { id: 'attacked', messages: [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'hello' }] }] },
}

/** Every call there is, as its path table has them. */
export const calls = (session: string): readonly Call[] =>
  (Object.keys(paths) as CallName[]).map(name => {
    const [method = '', pattern = ''] = paths[name].split(' ')
    const path = pattern
      .replace(':session', session)
      .replace(':seq', '1')
      .replaceAll(/:(\w+)/g, 'some-$1')
    return { name, method, path, body: bodies[name] }
  })

/** Whether a call changes something. */
export const isUnsafe = ({ method }: Call): boolean => method !== 'GET'

/** The headers of an honest caller. */
export const honest = ({ port, token }: Target): Readonly<Record<string, string>> => ({
  host: `127.0.0.1:${port}`,
  authorization: `Bearer ${token}`,
})

/** The same with a JSON body. */
export const honestJson = (target: Target): Readonly<Record<string, string>> => ({
  ...honest(target),
  'content-type': 'application/json',
})
