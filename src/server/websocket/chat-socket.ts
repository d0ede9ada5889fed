import { requests } from '../../protocol/api/requests.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { SessionId } from '../../protocol/ids.ts'
import { checkInput } from '../../protocol/check-input.ts'
import type { ServerParts } from '../server-parts.ts'
import { problemOf } from '../problem.ts'
import { parseJson } from '../read-json.ts'
import type { ChatPlan } from '../ui-message-stream/chat-plan.ts'
import { planChat, planResume } from '../ui-message-stream/plan-chat.ts'
import { runChat, type RunningChat } from '../ui-message-stream/run-chat.ts'
import { chatFrameSchema, type ChatFrame } from './frames.ts'
import { openSocket, type Socket, type Upgraded } from './open-socket.ts'

/** One request: its stream, or null before it starts. */
interface Chat {
  running: RunningChat | null
}

/** The state of one socket. */
interface Used {
  readonly server: ServerParts
  readonly socket: Socket
  readonly dialect: ChatPlan['dialect']
  readonly chats: Map<string, Chat>
}

const mostChats = 16

/** Serves the AI SDK's `WebSocketChatTransport`: many chats over one WebSocket. */
export function openChatSocket(server: ServerParts, upgraded: Upgraded, dialect: ChatPlan['dialect']): void {
  openSocket(server, upgraded, socket => {
    const used: Used = { server, socket, dialect, chats: new Map() }
    return {
      receive: bytes => receive(used, bytes),
      drained() {
        for (const { running } of used.chats.values()) if (!socket.isBehind()) running?.drained()
      },
      gone() {
        for (const requestId of used.chats.keys()) stop(used, requestId)
      },
      backlog: () => Promise.resolve(0),
      // This client knows no such frame, but reconnects automatically.
      farewell: () => null,
    }
  })
}

function receive(used: Used, bytes: Uint8Array): void {
  let requestId = ''
  try {
    const value = parseJson(bytes, used.server.options.limits)
    requestId = requestIn(value)
    const frame = checkInput(chatFrameSchema, value, { whole: 'The frame', piece: 'The field' })
    if (frame.type === 'abort') stop(used, requestId)
    else begin(used, frame)
  } catch (error) {
    refuse(used, requestId, error)
  }
}

/** Reports an error with the id of its request. */
function requestIn(value: unknown): string {
  const isNamed = typeof value === 'object' && value !== null && 'requestId' in value
  return isNamed && typeof value.requestId === 'string' ? value.requestId : ''
}

function begin(used: Used, frame: Exclude<ChatFrame, { type: 'abort' }>): void {
  const { chats } = used
  const { requestId } = frame
  if (chats.size >= mostChats || chats.has(requestId))
    throw new DragomanError(
      'too-many-connections',
      `At most ${mostChats} chats per socket, each with its own "requestId". Wait for one to end.`,
    )
  const chat: Chat = { running: null }
  chats.set(requestId, chat)
  plan(used, frame).then(
    planned => {
      if (chats.get(requestId) === chat) stream(used, requestId, chat, planned)
    },
    (error: unknown) => refuse(used, requestId, error),
  )
}

function plan(
  { server, dialect }: Used,
  frame: Exclude<ChatFrame, { type: 'abort' }>,
): Promise<ChatPlan | null> {
  if (frame.type === 'resume') return planResume(server, frame.id as SessionId, dialect)
  const { id, messages, trigger, messageId, body } = frame
  const sent = { ...body, id, messages, trigger, messageId }
  return planChat(
    server,
    checkInput(requests.chat.body, sent, { whole: 'The chat', piece: 'The field' }),
    dialect,
  )
}

function stream(used: Used, requestId: string, chat: Chat, planned: ChatPlan | null): void {
  const { server, socket, chats } = used
  const name = JSON.stringify(requestId)
  if (planned === null) {
    chats.delete(requestId)
    return void socket.send(`{"type":"no-active","requestId":${name}}`)
  }
  let sequence = 0
  const frameOf = (chunk: string) =>
    `{"type":"chunk","requestId":${name},"sequence":${sequence++},"chunk":${chunk}}`
  socket.send(`{"type":"start","requestId":${name}}`)
  chat.running = runChat(server, planned, {
    send: chunks => socket.send(...chunks.map(frameOf)),
    finish() {
      chats.delete(requestId)
      socket.send(`{"type":"end","requestId":${name}}`)
    },
    cut: () =>
      refuse(used, requestId, new DragomanError('journal-closed', 'This answer can no longer be followed.')),
  })
  chat.running.start()
}

function stop({ chats }: Used, requestId: string): void {
  chats.get(requestId)?.running?.stop()
  chats.delete(requestId)
}

function refuse(used: Used, requestId: string, error: unknown): void {
  const { server, socket } = used
  const { detail, status } = problemOf(error)
  if (status >= 500) server.log('error', 'Streaming a chat failed.', { error })
  stop(used, requestId)
  socket.send(JSON.stringify({ type: 'error', requestId, errorText: detail }))
}
