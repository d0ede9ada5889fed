import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { textFrame } from './open-socket.ts'

describe('textFrame', () => {
  it('[R2] is read by a real client at every size at which the header changes', async () => {
    const texts = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000].map(length => 'x'.repeat(length))
    texts.push('ü\u2028\u{1f600}'.repeat(50), 'ü'.repeat(40_000))
    const server = createServer()
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
    server.on('upgrade', (request, connection, head) => {
      sockets.handleUpgrade(request, connection, head, ws => {
        for (const text of texts) {
          ws.send('between')
          ;(connection as Socket).write(textFrame(text))
        }
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    onTestFinished(() => {
      client.terminate()
      server.close()
    })
    const received: string[] = []
    await new Promise<void>(resolve => {
      client.on('message', data => {
        received.push((data as Buffer).toString())
        if (received.length === texts.length * 2) resolve()
      })
    })
    expect(received).toEqual(texts.flatMap(text => ['between', text]))
  })
})
