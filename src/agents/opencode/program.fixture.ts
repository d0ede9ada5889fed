import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * A fake server: it makes sessions, sends the events that a prompt asks for, and reports every request, so that a
 * test sees what was sent.
 */
export const obedient = `
const { createServer } = require('node:http')
const port = Number(process.argv[process.argv.indexOf('--port') + 1])
const wanted = 'Basic ' + Buffer.from('opencode:' + process.env.OPENCODE_SERVER_PASSWORD).toString('base64')
const streams = new Set()
let sessions = 0
const tell = (type, properties) => {
  for (const stream of streams) stream.write('data: ' + JSON.stringify({ id: 'evt', type, properties }) + '\\n\\n')
}
const deeds = {
  question: id => tell('question.asked', {
    id: 'que_1', sessionID: id, questions: [{ question: 'Who?', header: 'W' }, { question: 'Why?', header: 'Y' }],
  }),
  child: id => {
    tell('session.created', { sessionID: id + '-child', info: { id: id + '-child', parentID: id } })
    tell('session.idle', { sessionID: id + '-child' })
    tell('session.created', { sessionID: 'stranger', info: { id: 'stranger' } })
    tell('session.idle', { sessionID: 'stranger' })
    tell('session.idle', { sessionID: id })
  },
  gap: () => { for (const stream of streams) stream.destroy() },
  die: () => process.exit(7),
}
const answer = (method, path, body) => {
  const id = /^\\/session\\/([^/]+)/.exec(path)?.[1]
  if (path === '/session' || path.endsWith('/fork')) return { id: 'ses_' + process.pid + '_' + (sessions += 1) }
  if (id === 'gone' || path.includes('per_gone')) return undefined
  if (path.endsWith('/prompt_async')) { tell('prompted', { sessionID: id, body }); deeds[body.parts[0].text]?.(id) }
  if (path === '/permission') return [{ id: 'per_1', sessionID: id }]
  if (path === '/session/status') return {}
  if (path === '/session/told/message') return ['msg_1', 'msg_2', 'msg_3'].map(name => ({ info: { id: name } }))
  if (path.endsWith('/message')) return []
  return { id }
}
createServer((incoming, outgoing) => {
  if (incoming.headers.authorization !== wanted) return outgoing.writeHead(401).end()
  const path = incoming.url.replace(/\\?.*$/, '')
  if (path === '/event') {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    streams.add(outgoing)
    outgoing.on('close', () => streams.delete(outgoing))
    outgoing.write('data: {"id":"evt","type":"server.connected","properties":{}}\\n\\n')
    return outgoing.write('data: {"id":"evt","type":"server.heartbeat","properties":{}}\\n\\n')
  }
  let text = ''
  incoming.on('data', piece => (text += piece))
  incoming.on('end', () => {
    const response = answer(incoming.method, path, text === '' ? null : JSON.parse(text))
    if (response === undefined) return outgoing.writeHead(404).end('{"data":{"message":"not there"}}')
    outgoing.writeHead(200).end(JSON.stringify(response))
  })
}).listen(port, '127.0.0.1', () => console.log('opencode server listening on http://127.0.0.1:' + port))
console.error('a word for the log')
`

/** Makes this program start as OpenCode, until the end of the test. */
export function pretendOpenCode(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-opencode-'))
  const file = join(folder, 'opencode')
  writeFileSync(file, `#!/usr/bin/env node\n${body}`)
  chmodSync(file, 0o755)
  const before = process.env['DRAGOMAN_OPENCODE']
  process.env['DRAGOMAN_OPENCODE'] = file
  onTestFinished(() => {
    if (before === undefined) delete process.env['DRAGOMAN_OPENCODE']
    else process.env['DRAGOMAN_OPENCODE'] = before
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}
