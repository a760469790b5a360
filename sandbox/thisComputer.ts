/** Whether a host name of an address stands for the computer that the sandbox runs on. */
export const isThisComputer = (hostname: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
