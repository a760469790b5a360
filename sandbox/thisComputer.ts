/** Returns whether the host name of a URL means the computer on which the sandbox runs. */
export const isThisComputer = (hostname: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
