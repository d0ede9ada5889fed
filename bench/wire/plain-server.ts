import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { memoryHeld } from './memory-held.ts'
import { answerBench } from './part.ts'
import type { PlainAsked, PlainTold } from './plain-asked.ts'

// The least that a server can be: it holds connections and writes to them, with no care for who reads.
const streams = new Set<ServerResponse>()
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const server = createServer((_incoming, outgoing) => {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  outgoing.flushHeaders()
  streams.add(outgoing)
  outgoing.on('close', () => streams.delete(outgoing))
})
server.on('upgrade', (incoming, socket, head) =>
  sockets.handleUpgrade(incoming, socket, head, opened => void sockets.emit('connection', opened)),
)
server.listen(0, '127.0.0.1')
await once(server, 'listening')

answerBench(async (asked: PlainAsked): Promise<PlainTold> => {
  if (asked.type === 'write') write(asked.bytes, asked.piece)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, memory: memoryHeld() }
})

function write(bytes: number, piece: number): void {
  for (let written = 0; written < bytes; written += piece) {
    // Each text is a new string, as those of an agent are.
    const text = `data: ${String(written).padEnd(piece, 'x')}\n\n`
    for (const stream of streams) stream.write(text)
    for (const socket of sockets.clients) socket.send(text)
  }
}
