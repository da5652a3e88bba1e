import { nodeImage } from '../../src/cli/pipelines/pipeline.ts';
import type { Names } from './names.ts';

/** Builds the image from the archive without Node, which is a separate file. */
export function dockerfile({ package: name, version, repository }: Names): string {
  const archive = `${name}-${version}-script.tar.gz`;
  return `# syntax=docker/dockerfile:1
FROM ${nodeImage}
LABEL org.opencontainers.image.source="${repository}" org.opencontainers.image.version="${version}"
# The sources of a server need Git, SSH and certificates, which the base does not contain.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates git openssh-client && rm -rf /var/lib/apt/lists/*
ADD ${archive} /opt/
RUN ln -s /opt/${name}-${version}-script/bin/rampart /usr/local/bin/rampart && mkdir /work /data && chown node:node /work /data
USER node
WORKDIR /work
ENTRYPOINT ["rampart"]
CMD ["--help"]
`;
}

/** Runs one command with a read-only root. The folder of the desired state and its records are the only mounts. */
export function composeFile({ image, version }: Names): string {
  return `services:
  rampart:
    image: ${image}:${version}
    build: .
    read_only: true
    cap_drop: [ALL]
    security_opt: ['no-new-privileges:true']
    tmpfs: [/tmp]
    environment:
      - RAMPART_BASE_URL
      - RAMPART_COMPANY_ID
      - RAMPART_PSK_FILE=/run/secrets/rampart_psk
      - RAMPART_STATE_URL_FILE
    secrets: [rampart_psk]
    volumes:
      - .:/work
secrets:
  rampart_psk:
    file: ./rampart_psk
`;
}
