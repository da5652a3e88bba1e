/** A decoded message without the name of its type, as tests write it. */
export function plainMessage<T>(message: T): T {
  if (typeof message !== 'object' || message === null || message instanceof Uint8Array) return message;
  if (Array.isArray(message)) return message.map(plainMessage) as T;
  const members = Object.entries(message).filter(([key]) => key !== '$typeName');
  return Object.fromEntries(members.map(([key, each]) => [key, plainMessage<unknown>(each)])) as T;
}
