const finalText = 0x81

/** A text as one frame of a WebSocket, as servers send it: unmasked. */
export function textFrame(text: string): Buffer {
  const size = Buffer.byteLength(text)
  const head = headSize(size)
  const frame = Buffer.allocUnsafe(head + size)
  frame[0] = finalText
  if (head === 2) frame[1] = size
  else if (head === 4) {
    frame[1] = 126
    frame.writeUInt16BE(size, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(size), 2)
  }
  frame.write(text, head)
  return frame
}

function headSize(size: number): 2 | 4 | 10 {
  if (size < 126) return 2
  return size < 1 << 16 ? 4 : 10
}
