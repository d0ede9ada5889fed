import { createServer, type ServerResponse } from 'node:http'
import type { Question } from './questions.ts'

// A program in place of OpenCode: each prompt holds, after "ask:", the permission that it requests.
if (process.argv.includes('--version')) {
  process.stdout.write('1.18.33\n')
  process.exit(0)
}
const sessionID = 'ses_1'
const streams = new Set<ServerResponse>()
let count = 0
let requests = 0
let whenAnswered = () => {}

function send(type: string, properties: object): void {
  const event = JSON.stringify({ id: 'evt', type, properties: { sessionID, ...properties } })
  for (const stream of streams) stream.write(`data: ${event}\n\n`)
}

function ask({ reported = {}, asked, second }: Question): void {
  const callID = `call_${(count += 1)}`
  const messageID = `msg_${count}`
  const part = (state: object) =>
    send('message.part.updated', {
      part: { id: `prt_${count}`, messageID, sessionID, type: 'tool', tool: 'bash', callID, state },
    })
  const requestPermission = (fields: object) =>
    send('permission.asked', { id: `per_${(requests += 1)}`, tool: { messageID, callID }, ...fields })
  const finish = () => {
    part({ status: 'completed', input: reported, output: 'done', title: 't', metadata: {} })
    send('session.idle', {})
  }
  send('session.status', { status: { type: 'busy' } })
  send('message.updated', {
    info: {
      id: messageID,
      role: 'assistant',
      sessionID,
      providerID: 'p',
      modelID: 'm',
      time: { created: 1 },
    },
  })
  part({ status: 'pending', input: {}, raw: '' })
  part({ status: 'running', input: reported })
  requestPermission(asked)
  whenAnswered = () => {
    whenAnswered = finish
    if (second === undefined) finish()
    else requestPermission(second)
  }
}

function answer(path: string, body: string): object {
  if (path === '/session') return { id: sessionID }
  const [, encoded] = /ask:([\w-]+)/.exec(path.endsWith('/prompt_async') ? body : '') ?? []
  if (encoded !== undefined) ask(JSON.parse(Buffer.from(encoded, 'base64url').toString()) as Question)
  if (path.endsWith('/reply')) {
    const { reply } = JSON.parse(body) as { readonly reply: string }
    send('permission.replied', { requestID: path.split('/').at(-2), reply })
    whenAnswered()
  }
  return {}
}

const port = Number(process.argv[process.argv.indexOf('--port') + 1])
createServer((request, response) => {
  const path = (request.url ?? '').replace(/\?.*/, '')
  if (path === '/event') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    streams.add(response)
    response.write('data: {"id":"evt","type":"server.connected","properties":{}}\n\n')
    return
  }
  let body = ''
  request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
  request.on('end', () => response.writeHead(200).end(JSON.stringify(answer(path, body))))
}).listen(port, '127.0.0.1', () => console.log(`opencode server listening on http://127.0.0.1:${port}`))
