import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { DragomanError, type ErrorCode } from '../../protocol/error.ts'
import { refuseSocket } from '../refuse-socket.ts'

/** For each error of Node's HTTP parser: the status, and what to do about it. */
const faults: Readonly<Record<string, readonly [line: string, code: ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'too-large',
    'The URL and headers are too long. Shorten them.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    '413 Payload Too Large',
    'too-large',
    'The chunk extensions of the body are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'invalid-input',
    'The request took too long to arrive. Send it again.',
  ],
}

const noHttp = ['400 Bad Request', 'invalid-input', 'Not a valid HTTP request. Check the client.'] as const

/** Answers a malformed HTTP request with a sentence and closes the connection. */
export function answerBadRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const hasSpoken = 'bytesWritten' in socket && (socket as Socket).bytesWritten > 0
    // In the middle of a response, an error text would look like a part of it.
    if (!socket.writable || hasSpoken || error.code === 'ECONNRESET') return void socket.destroy()
    const [line, code, message] = faults[error.code ?? ''] ?? noHttp
    refuseSocket(socket, new DragomanError(code, message), line)
  })
}
