import { createInterface } from 'node:readline'

/** How the fake agent behaves; given in its environment as JSON. */
export interface FakeManner {
  readonly version?: number
  readonly capabilities?: object
  /** Refuses to open a session because no user is logged in. */
  readonly needsLogin?: boolean
  /** Never answers this method. */
  readonly deafTo?: string
  /** Refuses to resume a session. */
  readonly forgets?: boolean
  readonly setUp?: object
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly sessionId?: string; readonly prompt?: readonly { readonly text?: string }[] }
  readonly result?: unknown
  readonly error?: unknown
}

const manner = JSON.parse(process.env['FAKE_MANNER'] ?? '{}') as FakeManner
const emit = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const sendText = (text: string) =>
  emit({
    method: 'session/update',
    params: {
      sessionId: 's',
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
    },
  })

let asked = 0
const waiting = new Map<number, (reply: Message) => void>()
const ask = (method: string, params: object) =>
  new Promise<Message>(resolve => {
    waiting.set(asked, resolve)
    emit({ id: asked, method, params: { sessionId: 's', ...params } })
    asked += 1
  })

let isCancelled = false
let stopWaiting = () => undefined as void

const deeds: Readonly<Record<string, (argument: string) => Promise<string>>> = {
  hello: () => Promise.resolve('Hello'),
  /** Sends the requests that the prompt names, and reports the answers. */
  async ask(argument) {
    const [method = '', params = '{}'] = argument.split(' | ')
    const { result, error } = await ask(method, JSON.parse(params) as object)
    return JSON.stringify({ result, error })
  },
  async withdraw(argument) {
    const [method = '', params = '{}'] = argument.split(' | ')
    const reply = ask(method, JSON.parse(params) as object)
    emit({ method: '$/cancel_request', params: { requestId: asked - 1 } })
    return JSON.stringify((await reply).result)
  },
  wait: () =>
    new Promise(resolve => {
      stopWaiting = () => resolve('')
    }),
  die() {
    process.stderr.write('I cannot go on\n')
    process.exit(3)
  },
}

async function answer({ id, params }: Message): Promise<void> {
  isCancelled = false
  const [first] = params?.prompt ?? []
  const [, deed = 'hello', argument = ''] = /^(\w+) ?(.*)$/s.exec(first?.text ?? '') ?? []
  const run = deeds[deed]
  sendText(run ? await run(argument) : JSON.stringify(params?.prompt))
  emit({ id, result: { stopReason: isCancelled ? 'cancelled' : 'end_turn' } })
}

const methods: Readonly<Record<string, (message: Message) => void>> = {
  initialize: ({ id, params }) =>
    emit({
      id,
      result: {
        protocolVersion: manner.version ?? 1,
        agentInfo: { name: 'fake', version: '1.0.0' },
        authMethods: [{ id: 'key', name: 'API key' }],
        ...manner.capabilities,
        asked: params,
      },
    }),
  'session/new': ({ id }) => {
    if (manner.needsLogin === true) emit({ id, error: { code: -32000, message: 'Authentication required' } })
    else emit({ id, result: { sessionId: 's', ...manner.setUp } })
  },
  'session/load': ({ id }) => {
    if (manner.forgets === true) return void emit({ id, error: { code: -32002, message: 'No such session' } })
    sendText('old words')
    emit({ id, result: {} })
    sendText('more old words')
  },
  'session/resume': ({ id }) =>
    manner.forgets === true
      ? emit({ id, error: { code: -32002, message: 'No such session' } })
      : emit({ id, result: {} }),
  'session/prompt': message => void answer(message),
  'session/cancel': () => {
    isCancelled = true
    stopWaiting()
  },
}

createInterface({ input: process.stdin }).on('line', line => {
  const message = JSON.parse(line) as Message
  const { id, method } = message
  if (method === undefined) return waiting.get(id ?? -1)?.(message)
  if (method === manner.deafTo) return
  const deed = methods[method]
  if (deed) deed(message)
  else if (id !== undefined) emit({ id, result: {} })
})
