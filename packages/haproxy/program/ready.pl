# Whether the HAProxy of this container serves: its worker answers here only when it listens at all its ports.
use strict;
use warnings;
use IO::Socket::UNIX;

alarm 8;
my $worker = IO::Socket::UNIX->new(Peer => '/tmp/own.sock') or die "it does not run yet: $!\n";
print $worker "show info\n";
$worker->flush;
local $/;
my $answer = <$worker>;
die "it does not answer\n" unless defined $answer and $answer =~ /^Pid: /m;
