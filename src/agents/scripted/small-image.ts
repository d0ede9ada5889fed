/** A disc in two colours, 32 by 32 pixels. */
export const smallImage = {
  mediaType: 'image/png',
  url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAeElEQVR42u3WsRXAIAxDQY3DdKmZLuNkjaQPGAySaYDn+l8FGG/wwR7Ak1N1BICV9jNg0h4GknrDgKpuGRDWq8ZagK+XxkJAVf8ZBxgA0nUL5wAzgNAwb3I4IDE6r2k4QBreL1NVb336knp/bWHSA4vXXHqr3ZQ5H48QqLnl+GqtAAAAAElFTkSuQmCC',
}
