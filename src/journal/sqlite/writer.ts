import { parentPort } from 'node:worker_threads'
import { isDragomanError } from '../../protocol/error.ts'
import { openWriter, type Writer } from './open-writer.ts'
import type { FromWriter, ToWriter, WriterOptions } from './writer-messages.ts'

// The writer's thread. It is started before the database is ready, and opens it when it is told to.
let writer: Writer | undefined

parentPort?.on('message', (message: ToWriter) => {
  switch (message.type) {
    case 'open':
      writer = open(message.options)
      return
    case 'commit':
      writer?.commit(message)
      return
    case 'rest':
      writer?.rest(message.sessions)
      return
    case 'close':
      writer?.close()
      parentPort?.close()
      return
  }
})

const tell = (message: FromWriter) => parentPort?.postMessage(message)

/** Opens the writer. Whatever fails ends the thread; of a folder that is gone the reason is told first. */
function open(options: WriterOptions): Writer {
  try {
    return openWriter(options, tell)
  } catch (error) {
    if (isDragomanError(error))
      tell({ type: 'health', failure: { code: error.code, message: error.message } })
    throw error
  }
}
